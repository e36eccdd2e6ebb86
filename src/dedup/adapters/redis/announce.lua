-- Puts a fingerprint at the end of a bucket, if it is not in it. Within a bucket this is atomic, so that of two that
-- come at the same moment one is before the other, for both and for ever. The oldest give way when the bucket is full.
-- KEYS: the bucket: how many gave way (4 bytes), then members of 6 bytes
-- ARGV: member, place up to which the caller has read (counted from the very first), most members
-- Answers the members from there up to this one, without it.
local bucket, member = KEYS[1], ARGV[1]
local read, most = tonumber(ARGV[2]), tonumber(ARGV[3])
local HEAD, SIZE = 4, 6

local function place_of(value)
  local from = HEAD + 1
  while true do
    local at = string.find(value, member, from, true)
    if not at then return nil end
    if (at - HEAD - 1) % SIZE == 0 then return (at - HEAD - 1) / SIZE end
    from = at + 1
  end
end

local value = redis.call('GET', bucket) or '\0\0\0\0'
local gone = struct.unpack('>I4', value)
local count = (#value - HEAD) / SIZE
local place = place_of(value)
if not place then
  place = count
  if count < most then
    if count == 0 then redis.call('SET', bucket, value .. member) else redis.call('APPEND', bucket, member) end
  else
    -- A quarter at once: the whole value is written for it.
    local leaving = math.max(1, math.floor(most / 4))
    local left = string.sub(value, HEAD + 1 + leaving * SIZE)
    redis.call('SET', bucket, struct.pack('>I4', gone + leaving) .. left .. member)
  end
end
return string.sub(value, HEAD + 1 + math.max(0, read - gone) * SIZE, HEAD + place * SIZE)
