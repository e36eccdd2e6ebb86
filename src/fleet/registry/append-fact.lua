-- Adds a value at the end of a list that holds each value once.
-- KEYS: the list, a sorted set whose scores are the places
-- ARGV: value, most values
-- Answers 'added', 'known' or 'full'.
local list, value, most = KEYS[1], ARGV[1], tonumber(ARGV[2])

if redis.call('ZSCORE', list, value) then return 'known' end
local count = redis.call('ZCARD', list)
if count >= most then return 'full' end
redis.call('ZADD', list, count, value)
return 'added'
