-- Puts fingerprints at the end of buckets. The oldest give way when a bucket is full. Done twice it only takes more room.
--
-- KEYS: buckets: members of 6 bytes
-- ARGV: most members, then the member for each bucket

local most, SIZE = tonumber(ARGV[1]), 6

for i, bucket in ipairs(KEYS) do
  if redis.call('APPEND', bucket, ARGV[i + 1]) > most * SIZE then
    -- A quarter at once: the whole value is written for it.
    local dropped = math.max(1, math.floor(most / 4)) * SIZE
    redis.call('SET', bucket, string.sub(redis.call('GET', bucket), dropped + 1))
  end
end
return 1
