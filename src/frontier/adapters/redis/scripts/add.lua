-- Adds to the crawl's sums. ARGV 2 what, as JSON.
countAll(cjson.decode(ARGV[2]))
commit()
