-- One page of the workers, the one seen most recently first.
-- KEYS: workers, what is known of them
-- ARGV: place of the first, place of the last
-- Answers a flat list: id, ms since it was last seen, what it told; for each.
local workers, facts = KEYS[1], KEYS[2]

local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local seen = redis.call('ZREVRANGE', workers, ARGV[1], ARGV[2], 'WITHSCORES')
local page = {}
for i = 1, #seen, 2 do
  page[#page + 1] = seen[i]
  page[#page + 1] = math.max(0, now - tonumber(seen[i + 1]))
  page[#page + 1] = redis.call('HGET', facts, seen[i]) or ''
end
return page
