-- Reads the seen set, some buckets at a time. ARGV 2 the bucket to begin with. Buckets are split into later ones only,
-- so whoever goes on until the end misses none. Answers the bucket to go on with (-1: that was the last), then
-- fingerprints.

local BUCKETS_IN_A_CALL = 8
local first = tonumber(ARGV[2])
local buckets = tonumber(redis.call('HGET', KEYS[1], 'seenBuckets') or 1)
local last = math.min(first + BUCKETS_IN_A_CALL, buckets) - 1
local answer = { last + 1 < buckets and last + 1 or -1 }
for bucket = first, last do
  for _, fingerprint in ipairs(redis.call('SMEMBERS', crawlBase .. 'seen:' .. bucket)) do
    answer[#answer + 1] = fingerprint
  end
end
return answer
