-- Puts a fingerprint at the end of a bucket. The oldest give way when it is full. Done twice it only takes more room.
--
-- KEYS: bucket: members of 6 bytes
-- ARGV: most members, the member

local bucket, most, SIZE = KEYS[1], tonumber(ARGV[1]), 6

if redis.call('APPEND', bucket, ARGV[2]) > most * SIZE then
  -- A quarter at once: the whole value is written for it.
  local dropped = math.max(1, math.floor(most / 4)) * SIZE
  redis.call('SET', bucket, string.sub(redis.call('GET', bucket), dropped + 1))
end
return 1
