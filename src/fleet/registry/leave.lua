-- Drops the entry of a worker that leaves, if it is still its own.
-- KEYS: workers, what is known of them
-- ARGV: id, token of the process
local workers, facts = KEYS[1], KEYS[2]
local id, token = ARGV[1], ARGV[2]

local known = redis.call('HGET', facts, id)
if not known or string.sub(known, 1, #token) ~= token then return 0 end
redis.call('ZREM', workers, id)
redis.call('HDEL', facts, id)
return 1
