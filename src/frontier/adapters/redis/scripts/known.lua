-- Which of these fingerprints have been seen? Changes nothing. ARGV 2… fingerprints.
-- Answers one digit for each: 1 seen, 0 not.

local buckets = tonumber(redis.call('HGET', KEYS[1], 'seenBuckets') or 1)
local bucketOf = bucketNames(crawlBase .. 'seen:', buckets)
local answers = {}
for i = FIRST_ARGUMENT, #ARGV do
  answers[#answers + 1] = redis.call('SISMEMBER', bucketOf(tonumber(ARGV[i])), ARGV[i])
end
return table.concat(answers)
