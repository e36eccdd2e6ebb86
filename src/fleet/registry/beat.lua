-- Notes that a worker lives. Entries of workers that have been silent for very long are dropped, a few a call.
-- KEYS: workers (id by moment last seen), what is known of them
-- ARGV: id, token of the process, what it tells of itself, 1 when it joins, life in ms, ms until it is dropped
-- Answers 'known', or 'taken' when another process lives under this id.
local workers, facts = KEYS[1], KEYS[2]
local id, token, told, joins = ARGV[1], ARGV[2], ARGV[3], ARGV[4]
local life, kept = tonumber(ARGV[5]), tonumber(ARGV[6])

local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)

local known = redis.call('HGET', facts, id)
if known and string.sub(known, 1, #token) ~= token then
  local seen = tonumber(redis.call('ZSCORE', workers, id) or 0)
  -- Whoever joins may take the id of a process that is silent; the silent one, back again, may not take it back.
  if joins ~= '1' or now - seen < life then return 'taken' end
end
redis.call('ZADD', workers, now, id)
redis.call('HSET', facts, id, token .. told)

local gone = redis.call('ZRANGEBYSCORE', workers, '-inf', now - kept, 'LIMIT', 0, 20)
if #gone > 0 then
  redis.call('ZREM', workers, unpack(gone))
  redis.call('HDEL', facts, unpack(gone))
end
return 'known'
