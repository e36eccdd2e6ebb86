import { HttpCrawler } from '@crawlee/http'
import { configuration, options } from './fast.mjs'

const seed = process.argv[2]
const known = new Set([seed])

// Crawlee leaves links to the caller here. A regular expression is the cheapest way, and so is asking the queue only once.
async function requestHandler({ body, request }) {
  const found = []
  for (const [, href] of body.toString().matchAll(/<a(?:\s[^>]*?)?\shref="([^"]*)"/g)) {
    const url = new URL(href, request.loadedUrl).href
    if (known.has(url) || !url.startsWith(seed)) continue
    known.add(url)
    found.push(url)
  }
  await crawler.addRequests(found)
}

const crawler = new HttpCrawler({ ...options, requestHandler }, configuration)
await crawler.run([seed])
