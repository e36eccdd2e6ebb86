-- Which of these fingerprints have been seen? Changes nothing. ARGV 4… fingerprints.
-- Answers one digit for each: 1 seen, 0 not.

local buckets = tonumber(redis.call('HGET', KEYS[1], 'seenBuckets') or 1)
local answers = {}
for i = FIRST_ARGUMENT, #ARGV do
  local bucket = bucketOf(tonumber(ARGV[i]), buckets)
  answers[#answers + 1] = redis.call('SISMEMBER', crawlBase .. 'seen:' .. bucket, ARGV[i])
end
return table.concat(answers)
