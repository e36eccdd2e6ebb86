-- Enters a crawl. Once entered it stays as it is: a second call with the same orders changes nothing.
-- KEYS: the crawl, all crawls, active crawls, version
-- ARGV: id, orders, number of seeds, moment of creation
-- Answers 'created', 'same' (these orders were there) or 'other' (others were).
local crawl, crawls, active, version = KEYS[1], KEYS[2], KEYS[3], KEYS[4]
local id, orders, seeds, created_at = ARGV[1], ARGV[2], ARGV[3], ARGV[4]

local known = redis.call('HGET', crawl, 'orders')
if known then
  return known == orders and 'same' or 'other'
end

local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
redis.call('HSET', crawl, 'format', '1', 'orders', orders, 'seeds', seeds, 'created_at', created_at,
  'state', 'running', 'detail', '', 'changed_at', now)
redis.call('ZADD', crawls, created_at, id)
redis.call('ZADD', active, created_at, id)
-- Also the clock, not only a count: after a fail-over that lost the last second no number means two things.
redis.call('SET', version, string.format('%.0f', math.max(now, (tonumber(redis.call('GET', version)) or 0) + 1)))
return 'created'
