-- Puts a fingerprint at the end of buckets, if it is not in them. The oldest give way when a bucket is full.
-- KEYS: buckets: members of 6 bytes
-- ARGV: most members, then the member for each bucket
local most, SIZE = tonumber(ARGV[1]), 6

local function has(value, member)
  local from = 1
  while true do
    local at = string.find(value, member, from, true)
    if not at then return false end
    if (at - 1) % SIZE == 0 then return true end
    from = at + 1
  end
end

for i, bucket in ipairs(KEYS) do
  local member = ARGV[i + 1]
  local value = redis.call('GET', bucket) or ''
  if not has(value, member) then
    if #value < most * SIZE then
      redis.call('APPEND', bucket, member)
    else
      -- A quarter at once: the whole value is written for it.
      redis.call('SET', bucket, string.sub(value, math.max(1, math.floor(most / 4)) * SIZE + 1) .. member)
    end
  end
end
return 1
