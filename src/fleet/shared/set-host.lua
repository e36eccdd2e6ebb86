-- Sets or removes what an operator has decided for a host.
-- KEYS: settings by host, version
-- ARGV: host, settings ('': remove), most hosts
-- Answers 'changed', 'unchanged' or 'full'.
local hosts, version = KEYS[1], KEYS[2]
local host, settings, most = ARGV[1], ARGV[2], tonumber(ARGV[3])

local known = redis.call('HGET', hosts, host) or ''
if known == settings then return 'unchanged' end
if settings == '' then
  redis.call('HDEL', hosts, host)
elseif known == '' and redis.call('HLEN', hosts) >= most then
  return 'full'
else
  redis.call('HSET', hosts, host, settings)
end
-- Also the clock, not only a count: after a fail-over that lost the last second no number means two things.
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
redis.call('SET', version, string.format('%.0f', math.max(now, (tonumber(redis.call('GET', version)) or 0) + 1)))
return 'changed'
