-- Notes that a worker visits hosts for a crawl, and answers who else does.
-- KEYS 1 the crew (worker by moment last seen). ARGV 1 worker, 2 how long a sign of life counts (ms), 3 1 when it leaves.
local crew, id, life = KEYS[1], ARGV[1], tonumber(ARGV[2])

if ARGV[3] == '1' then
  redis.call('ZREM', crew, id)
  return {}
end
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
redis.call('ZADD', crew, now, id)
redis.call('PEXPIRE', crew, life)

local alive, seen = {}, redis.call('ZRANGE', crew, 0, -1, 'WITHSCORES')
for i = 1, #seen, 2 do
  if now - seen[i + 1] < life then alive[#alive + 1] = seen[i] else redis.call('ZREM', crew, seen[i]) end
end
return alive
