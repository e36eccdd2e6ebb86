-- What is known of one URL without searching the queues.
-- ARGV 2 host, 3 the URL in its short form, 4 its fingerprint.
-- Answers false (never seen), `queued` (perhaps: it must be looked for), `done`, or what was remembered of its end.

local buckets = tonumber(redis.call('HGET', KEYS[1], 'seenBuckets') or 1)
local bucketOf = bucketNames(crawlBase .. 'seen:', buckets)
if redis.call('SISMEMBER', bucketOf(tonumber(ARGV[4])), ARGV[4]) == 0 then return false end
local ended = redis.call('HGET', crawlBase .. 'ended:' .. ARGV[2], ARGV[3])
if ended then return ended end
local host = hostOf(ARGV[2])
return host and host.crawl[OPEN] > 0 and 'queued' or 'done'
