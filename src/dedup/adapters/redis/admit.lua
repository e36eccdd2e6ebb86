-- Decides, one page after the other, whether pages are originals. Pages read the buckets before they come here; what they
-- could not yet find there they find here: an original stays until it has been written to its buckets, and then for
-- longer than a page takes from its reading to this call.
--
-- Originals come in two generations. The young one becomes the old one, and the old one is dropped, when everything in
-- the old one has been known as written for so long that no page can come that has not found it in the buckets.
--
-- KEYS: state (last: the last number; rotatedAt: when the old generation was the young one; cleanAt: when all of it was
--   known as written), unwritten (numbers by the moment of their admission), then of the young and of the old
--   generation blocks (by block and its value: fingerprint and number of each) and originals (by number: fingerprint, URL)
-- ARGV: ms for which what was written stays, ms after which one that was not written is an orphan, how many numbers have
--   been written, these numbers; then of each page its fingerprint (8 bytes), URL, and the moment (engine's clock) at
--   which the buckets were read at the earliest
-- Answers now; for each page `late` (read the buckets again), `near` with a URL, `own` (near to its own earlier self) or
--   `original` with a number, the second always a text; then of each orphan its number, fingerprint and URL, to be written.

local state, unwritten = KEYS[1], KEYS[2]
local young, old = { blocks = KEYS[3], originals = KEYS[4] }, { blocks = KEYS[5], originals = KEYS[6] }
local stays, orphaned, written = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3])
local ITEM, MAX_BITS, ORPHANS_AT_ONCE = 16, 3, 4

local time = redis.call('TIME')
local now_us = time[1] * 1000000 + time[2]
local now = math.floor(now_us / 1000)

if written > 0 then redis.call('ZREM', unwritten, unpack(ARGV, 4, 3 + written)) end
local from = 4 + written
local answer = { now }
if not ARGV[from] then return answer end

local known = redis.call('HMGET', state, 'last', 'rotatedAt', 'cleanAt')
local last, rotated_at, clean_at = tonumber(known[1] or 0), tonumber(known[2]), tonumber(known[3])
local oldest = tonumber(redis.call('ZRANGE', unwritten, 0, 0, 'WITHSCORES')[2])

local function rotate()
  for _, of in ipairs({ 'blocks', 'originals' }) do
    redis.call('UNLINK', old[of])
    if redis.call('EXISTS', young[of]) == 1 then redis.call('RENAME', young[of], old[of]) end
  end
  redis.call('HSET', state, 'rotatedAt', now)
  redis.call('HDEL', state, 'cleanAt')
end

if not rotated_at or (clean_at and now - clean_at > stays) then
  rotate()
elseif not clean_at and not (oldest and oldest <= rotated_at) then
  redis.call('HSET', state, 'cleanAt', now)
end

-- How many bits are set, beside those that were counted before; no further than decides.
local function counted(bits, before)
  while bits ~= 0 and before <= MAX_BITS do
    bits = bit.band(bits, bits - 1)
    before = before + 1
  end
  return before
end

-- Of fingerprints as two numbers each. Most differ in many bits, and are done with after the first few.
local function are_near(a1, a2, b1, b2)
  return counted(bit.bxor(a2, b2), counted(bit.bxor(a1, b1), 0)) <= MAX_BITS
end

-- What stands in each block of each page, in both generations, read at once.
local fields, place_of = {}, {}
for i = from, #ARGV, 3 do
  for block = 1, 4 do
    local field = block .. string.sub(ARGV[i], 2 * block - 1, 2 * block)
    if not place_of[field] then
      fields[#fields + 1] = field
      place_of[field] = #fields
    end
  end
end
local in_young = redis.call('HMGET', young.blocks, unpack(fields))
local in_old = redis.call('HMGET', old.blocks, unpack(fields))

-- Numbers of those that are near, the first one first.
local function near_ones(fingerprint)
  local near = {}
  local high, low = struct.unpack('>I4I4', fingerprint)
  local function look_through(items)
    for at = 1, #items, ITEM do
      local of_high, of_low, number = struct.unpack('>I4I4d', items, at)
      if are_near(high, low, of_high, of_low) then near[#near + 1] = number end
    end
  end
  for block = 1, 4 do
    local place = place_of[block .. string.sub(fingerprint, 2 * block - 1, 2 * block)]
    if in_old[place] then look_through(in_old[place]) end
    if in_young[place] then look_through(in_young[place]) end
  end
  table.sort(near)
  return near
end

local admitted, blocks_changed = {}, {}

local function original_of(number)
  return admitted[number] or redis.call('HGET', young.originals, number) or redis.call('HGET', old.originals, number)
end

local function verdict(fingerprint, url)
  local near = near_ones(fingerprint)
  for _, number in ipairs(near) do
    local found = string.sub(original_of(string.format('%.0f', number)) or '', 9)
    if found ~= '' and found ~= url then return 'near', found end
  end
  if #near > 0 then return 'own', '' end
end

local new_originals, new_numbers = {}, {}

-- The clock, and not a count: so the numbers rise also after a fail-over that lost the last of them.
local function admit(fingerprint, url)
  last = math.max(now_us, last + 1)
  local number, item = string.format('%.0f', last), fingerprint .. struct.pack('>d', last)
  admitted[number] = fingerprint .. url
  new_originals[#new_originals + 1] = number
  new_originals[#new_originals + 1] = admitted[number]
  new_numbers[#new_numbers + 1] = now
  new_numbers[#new_numbers + 1] = number
  for block = 1, 4 do
    local field = block .. string.sub(fingerprint, 2 * block - 1, 2 * block)
    local place = place_of[field]
    in_young[place] = (in_young[place] or '') .. item
    blocks_changed[place] = true
  end
  return 'original', number
end

for i = from, #ARGV, 3 do
  local fingerprint, url = ARGV[i], ARGV[i + 1]
  local what, value = 'late', ''
  if now - tonumber(ARGV[i + 2]) <= stays then
    what, value = verdict(fingerprint, url)
    if not what then what, value = admit(fingerprint, url) end
  end
  answer[#answer + 1] = what
  answer[#answer + 1] = value
end

if #new_numbers > 0 then
  local changed = {}
  for place in pairs(blocks_changed) do
    changed[#changed + 1] = fields[place]
    changed[#changed + 1] = in_young[place]
  end
  redis.call('HSET', young.blocks, unpack(changed))
  redis.call('HSET', young.originals, unpack(new_originals))
  redis.call('ZADD', unwritten, unpack(new_numbers))
  redis.call('HSET', state, 'last', string.format('%.0f', last))
end

if oldest and now - oldest > orphaned then
  local orphans = redis.call('ZRANGEBYSCORE', unwritten, '-inf', now - orphaned, 'LIMIT', 0, ORPHANS_AT_ONCE)
  for _, number in ipairs(orphans) do
    local original = original_of(number)
    if original then
      answer[#answer + 1] = number
      answer[#answer + 1] = string.sub(original, 1, 8)
      answer[#answer + 1] = string.sub(original, 9)
    else
      redis.call('ZREM', unwritten, number)
    end
  end
end
return answer
