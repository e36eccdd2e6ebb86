"""Follows every link of one site, with the settings that Scrapy's guide to broad crawls recommends."""

import sys
from urllib.parse import urlsplit

import scrapy
from scrapy.crawler import CrawlerProcess
from scrapy.linkextractors import LinkExtractor


class Site(scrapy.Spider):
    name = "site"
    start_urls = [sys.argv[1]]
    # It compares with host and port.
    links = LinkExtractor(allow_domains=[urlsplit(sys.argv[1]).netloc])

    def parse(self, response):
        for link in self.links.extract_links(response):
            yield scrapy.Request(link.url)


process = CrawlerProcess(
    {
        "CONCURRENT_REQUESTS": 100,
        "CONCURRENT_REQUESTS_PER_DOMAIN": 100,
        "DOWNLOAD_DELAY": 0,
        "ROBOTSTXT_OBEY": True,
        "COOKIES_ENABLED": False,
        "RETRY_ENABLED": False,
        "REDIRECT_ENABLED": False,
        "TELNETCONSOLE_ENABLED": False,
        "LOG_ENABLED": False,
    }
)
process.crawl(Site)
process.start()
