-- Reads the crawl's records of some hosts. ARGV 2 the bucket to begin with. Buckets are split into later ones only, so
-- whoever goes on until the end misses no host, and may meet one twice.
-- Answers the bucket to go on with (-1: that was the last), then a row for each host.

local BUCKETS_IN_A_CALL = 4
local first = tonumber(ARGV[2])
local buckets = tonumber(redis.call('HGET', KEYS[1], 'hostBuckets') or 1)
local last = math.min(first + BUCKETS_IN_A_CALL, buckets) - 1
local answer = { last + 1 < buckets and last + 1 or -1 }

for bucket = first, last do
  for _, name in ipairs(redis.call('HKEYS', crawlBase .. 'hosts:' .. bucket)) do
    answer[#answer + 1] = rowOf(hostOf(name))
  end
end
return answer
