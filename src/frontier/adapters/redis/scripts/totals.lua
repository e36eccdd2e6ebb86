-- Reads the crawl's numbers in this shard. ARGV 4 which: `counts` or `sums`. Answers names and values by turns.
return redis.call('HGETALL', crawlBase .. ARGV[4])
