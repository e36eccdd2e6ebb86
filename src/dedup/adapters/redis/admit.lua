-- Decides, one page after the other, whether a page is an original. Pages read the buckets before they come here; what
-- they could not yet find there they find here: an original stays until it has been written to its buckets, and then for
-- longer than a page takes from its reading to this call.
-- KEYS: originals (by number: moment written in ms or 0, moment admitted, fingerprint, URL),
--   blocks (by block and its value: fingerprint and number of each), queue (numbers, the oldest first)
-- ARGV: fingerprint (8 bytes), URL, moment (engine's clock) at which the buckets were read at the earliest, ms for which
--   what was written stays, ms after which one that was not written is an orphan, numbers that have been written...
-- Answers { now, 'late' } (read the buckets again), { now, 'near', URL }, { now, 'own' } (near to its own earlier
--   self), or { now, 'original', number }; then of each orphan found its number, fingerprint and URL, to be written.
local originals, blocks, queue = KEYS[1], KEYS[2], KEYS[3]
local fingerprint, url, read_at = ARGV[1], ARGV[2], tonumber(ARGV[3])
local stays, orphaned = tonumber(ARGV[4]), tonumber(ARGV[5])
local HEAD, ITEM, MAX_BITS, AT_ONCE = 16, 16, 3, 4

local time = redis.call('TIME')
local now_us = time[1] * 1000000 + time[2]
local now = math.floor(now_us / 1000)

local function bit_count(bits)
  local count = 0
  while bits ~= 0 do
    bits = bit.band(bits, bits - 1)
    count = count + 1
  end
  return count
end

local function are_near(a, b)
  local a1, a2, a3, a4 = struct.unpack('>HHHH', a)
  local b1, b2, b3, b4 = struct.unpack('>HHHH', b)
  return bit_count(bit.bxor(a1, b1)) + bit_count(bit.bxor(a2, b2)) + bit_count(bit.bxor(a3, b3))
    + bit_count(bit.bxor(a4, b4)) <= MAX_BITS
end

local function fields_of(print)
  local fields = {}
  for block = 1, 4 do
    fields[block] = block .. string.sub(print, 2 * block - 1, 2 * block)
  end
  return fields
end

local function mark_written(number)
  local original = redis.call('HGET', originals, number)
  if original then
    redis.call('HSET', originals, number, struct.pack('>d', now) .. string.sub(original, 9))
  end
end

local function forget(number, print)
  for _, field in ipairs(fields_of(print)) do
    local items, left = redis.call('HGET', blocks, field) or '', ''
    for at = 1, #items, ITEM do
      local item = string.sub(items, at, at + ITEM - 1)
      if string.format('%.0f', struct.unpack('>d', item, 9)) ~= number then left = left .. item end
    end
    if left == '' then redis.call('HDEL', blocks, field) else redis.call('HSET', blocks, field, left) end
  end
  redis.call('HDEL', originals, number)
end

-- Looks at the oldest: drops what has stayed long enough, moves orphans to the end and hands them to the caller.
local function tidy(answer)
  for _ = 1, AT_ONCE do
    local number = redis.call('LINDEX', queue, 0)
    local original = number and redis.call('HGET', originals, number)
    if number and not original then
      redis.call('LPOP', queue)
    elseif original then
      local written, admitted = struct.unpack('>dd', original)
      local print = string.sub(original, HEAD + 1, HEAD + 8)
      if written > 0 then
        if now - written <= stays then return end
        redis.call('LPOP', queue)
        forget(number, print)
      else
        if now - admitted <= orphaned then return end
        redis.call('LMOVE', queue, queue, 'LEFT', 'RIGHT')
        answer[#answer + 1] = number
        answer[#answer + 1] = print
        answer[#answer + 1] = string.sub(original, HEAD + 9)
      end
    end
  end
end

-- Those that are near, by number.
local function near_ones()
  local near = {}
  for _, field in ipairs(fields_of(fingerprint)) do
    local items = redis.call('HGET', blocks, field) or ''
    for at = 1, #items, ITEM do
      if are_near(string.sub(items, at, at + 7), fingerprint) then
        near[#near + 1] = struct.unpack('>d', items, at + 8)
      end
    end
  end
  table.sort(near)
  return near
end

local function verdict()
  local near = near_ones()
  for _, number in ipairs(near) do
    local found = string.sub(redis.call('HGET', originals, string.format('%.0f', number)) or '', HEAD + 9)
    if found ~= '' and found ~= url then return { now, 'near', found } end
  end
  return #near > 0 and { now, 'own' } or nil
end

local function admit()
  -- The clock, and not a count: so the numbers rise also after a fail-over that lost the last of them.
  local number = math.max(now_us, tonumber(redis.call('LINDEX', queue, -1) or 0) + 1)
  while redis.call('HEXISTS', originals, string.format('%.0f', number)) == 1 do number = number + 1 end
  local text = string.format('%.0f', number)
  redis.call('HSET', originals, text, struct.pack('>dd', 0, now) .. fingerprint .. url)
  redis.call('RPUSH', queue, text)
  for _, field in ipairs(fields_of(fingerprint)) do
    redis.call('HSET', blocks, field, (redis.call('HGET', blocks, field) or '') .. fingerprint .. struct.pack('>d', number))
  end
  return { now, 'original', text }
end

for i = 6, #ARGV do mark_written(ARGV[i]) end
if fingerprint == '' then return { now, 'own' } end
if now - read_at > stays then return { now, 'late' } end
local answer = verdict() or admit()
if #answer == 2 then answer[3] = '' end
tidy(answer)
return answer
