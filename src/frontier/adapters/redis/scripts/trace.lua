-- What is known of one URL without searching the queues.
-- ARGV 4 host, 5 the URL in its short form, 6 its fingerprint.
-- Answers false (never seen), `queued` (perhaps: it must be looked for), `done`, or what was remembered of its end.

local buckets = tonumber(redis.call('HGET', KEYS[1], 'seenBuckets') or 1)
local bucketOf = bucketNames(crawlBase .. 'seen:', buckets)
if redis.call('SISMEMBER', bucketOf(tonumber(ARGV[6])), ARGV[6]) == 0 then return false end
local ended = redis.call('HGET', crawlBase .. 'ended:' .. ARGV[4], ARGV[5])
if ended then return ended end
local host = hostOf(ARGV[4])
return host and host.crawl[OPEN] > 0 and 'queued' or 'done'
