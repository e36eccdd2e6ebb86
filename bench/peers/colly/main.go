// Follows every link of one site with Colly's asynchronous collector; nothing is kept.
package main

import (
	"fmt"
	"net/http"
	"net/url"
	"os"
	"sync/atomic"
	"time"

	"github.com/gocolly/colly/v2"
)

const parallelism = 100

func main() {
	seed, err := url.Parse(os.Args[1])
	if err != nil {
		panic(err)
	}
	c := colly.NewCollector(colly.Async(true), colly.AllowedDomains(seed.Hostname()))
	c.IgnoreRobotsTxt = false
	if err := c.Limit(&colly.LimitRule{DomainGlob: "*", Parallelism: parallelism}); err != nil {
		panic(err)
	}
	// Go keeps 2 idle connections to a host unless told otherwise.
	c.WithTransport(&http.Transport{MaxIdleConnsPerHost: parallelism, IdleConnTimeout: 30 * time.Second})
	var pages atomic.Int64
	c.OnResponse(func(*colly.Response) { pages.Add(1) })
	// Visit answers an error for what was visited before.
	c.OnHTML("a[href]", func(e *colly.HTMLElement) { _ = e.Request.Visit(e.Attr("href")) })
	if err := c.Visit(seed.String()); err != nil {
		panic(err)
	}
	c.Wait()
	fmt.Println(pages.Load(), "pages")
}
