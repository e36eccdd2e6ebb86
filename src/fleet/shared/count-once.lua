-- Adds to a crawl's sums what a page brings, once for each token, however often it is told within ten minutes.
-- Tokens lie in small sets, which Redis keeps as sorted integers, in slices of time that expire.
--
-- KEYS 1 the crawl's counts in a shard, where its sums stand. ARGV 1 first part of the keys of tokens (of the same shard), 2 token, 3 what is
-- added, as JSON. Answers 1, or 0 if the token was known.
local counts, base, token = KEYS[1], ARGV[1], ARGV[2]
local SLICE_S, BUCKETS = 600, 256

local slice = math.floor(redis.call('TIME')[1] / SLICE_S)
local function bucketIn(number)
  return base .. number .. ':' .. token % BUCKETS
end

local current = bucketIn(slice)
-- While a slot of a Cluster moves, this fails where a later command would, before anything is written.
redis.call('EXISTS', counts, current)
if redis.call('SISMEMBER', current, token) == 1 or redis.call('SISMEMBER', bucketIn(slice - 1), token) == 1 then
  return 0
end
redis.call('SADD', current, token)
redis.call('EXPIRE', current, 2 * SLICE_S)
for name, by in pairs(cjson.decode(ARGV[3])) do
  redis.call(by % 1 == 0 and 'HINCRBY' or 'HINCRBYFLOAT', counts, 'sum:' .. name, by)
end
return 1
