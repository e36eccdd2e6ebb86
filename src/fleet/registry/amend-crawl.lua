-- Gives a crawl other settings. The orders it was entered with stay.
-- KEYS: the crawl, version
-- ARGV: settings
-- Answers 'amended' or 'unknown'.
local crawl, version = KEYS[1], KEYS[2]

if redis.call('EXISTS', crawl) == 0 then return 'unknown' end
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
redis.call('HSET', crawl, 'settings', ARGV[1])
redis.call('HINCRBY', crawl, 'revision', 1)
redis.call('SET', version, string.format('%.0f', math.max(now, (tonumber(redis.call('GET', version)) or 0) + 1)))
return 'amended'
