-- Finds for each page the original that it is near to, or makes it one: in one step, so that of two near ones that come at
-- the same moment the second finds the first. For one server: nothing of it lies together in a Cluster.
--
-- KEYS 1 the number of the last original; 2 to 5 for each block the originals by its value, members of 6 bytes that are
--   the other three blocks; 6… records by fingerprint (8 bytes): number (8 bytes), URL
-- ARGV 1 most members of a value, 2 most records under a key, 3 most members that are compared here for a page: a script
--   is slow at that, and everybody waits for it; then for each page its fingerprint (16 hexadecimal digits), URL, and
--   what the caller has compared itself: '', or how many members of each block, then the fingerprints that are near
-- Answers for each page 0 (it is an original), the URL of the one it is near to, or the members of its four blocks, for
--   the caller to compare. { -1, key } in place of all that: something else stands there, and nothing was written.

local RECORD_KEYS, FIRST_PAGE, PAGE = 5, 4, 3
local mostMembers, mostRecords, mostCompared = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3])
local SIZE = 6
local band, bxor, unpackBytes, packBytes, sub = bit.band, bit.bxor, struct.unpack, struct.pack, string.sub

-- Blocks as numbers, and as hexadecimal digits.
local pages = {}
for i = FIRST_PAGE, #ARGV, PAGE do
  local hex = ARGV[i]
  local values = { sub(hex, 1, 4), sub(hex, 5, 8), sub(hex, 9, 12), sub(hex, 13, 16) }
  local blocks = { tonumber(values[1], 16), tonumber(values[2], 16), tonumber(values[3], 16), tonumber(values[4], 16) }
  pages[#pages + 1] = { values = values, blocks = blocks, url = ARGV[i + 1], compared = ARGV[i + 2] }
end

-- By block, then by its value.
local members = { {}, {}, {}, {} }

-- Answers the key of one that holds something else.
local function readMembers()
  for block = 1, 4 do
    local key, values, of = KEYS[1 + block], {}, members[block]
    for _, page in ipairs(pages) do
      local value = page.values[block]
      if not of[value] then
        of[value] = ''
        values[#values + 1] = value
      end
    end
    for i, found in ipairs(redis.call('HMGET', key, unpack(values))) do
      if found then
        if #found % SIZE ~= 0 then return key end
        of[values[i]] = found
      end
    end
  end
end

-- What a member of a block consists of, as two numbers.
local function restOf(blocks, block)
  local a, b, c, d = unpack(blocks)
  if block == 1 then return b * 65536 + c, d end
  if block == 2 then return a * 65536 + c, d end
  if block == 3 then return a * 65536 + b, d end
  return a * 65536 + b, c
end

local function bitsIn(number)
  local bits = 0
  while number ~= 0 do
    number, bits = band(number, number - 1), bits + 1
  end
  return bits
end

-- The fingerprint (8 bytes) of a member.
local function wholeOf(member, block, value)
  return sub(member, 1, 2 * block - 2) .. packBytes('>I2', value) .. sub(member, 2 * block - 1)
end

local function compare(page, block, from, near)
  local of = members[block][page.values[block]]
  if #of == from * SIZE then return end
  local high, low = restOf(page.blocks, block)
  for at = from * SIZE + 1, #of, SIZE do
    local ofHigh, ofLow = unpackBytes('>I4I2', of, at)
    -- Most differ in many bits: what is left without three of them decides.
    local bits = bxor(high, ofHigh)
    local left = band(bits, bits - 1)
    left = band(left, left - 1)
    if band(left, left - 1) == 0 and bitsIn(bits) + bitsIn(bxor(low, ofLow)) <= 3 then
      near[wholeOf(sub(of, at, at + SIZE - 1), block, page.blocks[block])] = true
    end
  end
end

local NONE = { 0, 0, 0, 0 }

-- How many members of each block the caller has compared, and which it found near.
local function comparedBefore(page)
  if page.compared == '' then return NONE, {} end
  local numbers, near = {}, {}
  for word in string.gmatch(page.compared, '%S+') do
    if #numbers < 4 then
      numbers[#numbers + 1] = tonumber(word)
    else
      local high, low = tonumber(sub(word, 1, 8), 16), tonumber(sub(word, 9), 16)
      near[packBytes('>I4I4', high, low)] = true
    end
  end
  for block = 1, 4 do
    -- Those that were compared may have given way to others.
    local there = #members[block][page.values[block]] / SIZE
    if not numbers[block] or numbers[block] > there then numbers[block] = 0 end
  end
  return numbers, near
end

-- Fingerprints that are near; or nil, if there is too much to compare.
local function nearOnes(page)
  local from, near = comparedBefore(page)
  local total = 0
  for block = 1, 4 do total = total + #members[block][page.values[block]] / SIZE - from[block] end
  if total > mostCompared then return nil end
  for block = 1, 4 do compare(page, block, from[block], near) end
  return near
end

local function recordKeyOf(fingerprint)
  local a, b, c, d = unpackBytes('>I2I2I2I2', fingerprint)
  return KEYS[RECORD_KEYS + 1 + bxor(a, b, c, d) % (#KEYS - RECORD_KEYS)]
end

local records, newRecords, changed, strangeKey = {}, {}, { {}, {}, {}, {} }, nil

local function recordOf(fingerprint)
  local record = records[fingerprint]
  if record == nil then
    local key = recordKeyOf(fingerprint)
    record = redis.call('HGET', key, fingerprint)
    if record and #record <= 8 then strangeKey = key end
    records[fingerprint] = record
  end
  return record
end

-- The first of those that are near, other than the page itself; or '' if only that is.
local function firstOf(near, url)
  local first, firstNumber
  for fingerprint in pairs(near) do
    local record = recordOf(fingerprint)
    -- It may have given way.
    if record and #record > 8 then
      local number, found = unpackBytes('>d', record), sub(record, 9)
      if found == url then
        first = first or ''
      elseif not firstNumber or number < firstNumber then
        first, firstNumber = found, number
      end
    end
  end
  return first
end

local time = redis.call('TIME')
local last = math.max(time[1] * 1000000 + time[2], tonumber(redis.call('GET', KEYS[1]) or 0))

local function withMember(of, member)
  of = of .. member
  if #of <= mostMembers * SIZE then return of end
  -- The oldest give way, a quarter at once.
  return sub(of, math.max(1, math.floor(mostMembers / 4)) * SIZE + 1)
end

-- The clock, and not a count: so the numbers rise also after a fail-over that lost the last of them.
local function admit(page)
  last = last + 1
  local fingerprint = packBytes('>I2I2I2I2', unpack(page.blocks))
  records[fingerprint] = packBytes('>d', last) .. page.url
  local key = recordKeyOf(fingerprint)
  local fields = newRecords[key] or {}
  fields[#fields + 1] = fingerprint
  fields[#fields + 1] = records[fingerprint]
  newRecords[key] = fields
  for block = 1, 4 do
    local value = page.values[block]
    members[block][value] = withMember(members[block][value], packBytes('>I4I2', restOf(page.blocks, block)))
    changed[block][value] = true
  end
end

local function answerTo(page)
  local near = nearOnes(page)
  if not near then
    local answer = {}
    for block = 1, 4 do answer[block] = members[block][page.values[block]] end
    return answer
  end
  local first = firstOf(near, page.url)
  if not first then admit(page) end
  return first and first ~= '' and first or 0
end

-- Some other goes when there are too many: near-duplicates of that one are then missed, never invented.
local function giveWay(key)
  local surplus = redis.call('HLEN', key) - mostRecords
  if surplus > 0 then redis.call('HDEL', key, unpack(redis.call('HRANDFIELD', key, math.min(surplus, 1000)))) end
end

-- Records first: a member without one is near to nobody.
local function write()
  for key, fields in pairs(newRecords) do redis.call('HSET', key, unpack(fields)) end
  for block = 1, 4 do
    local fields = {}
    for value in pairs(changed[block]) do
      fields[#fields + 1] = value
      fields[#fields + 1] = members[block][value]
    end
    redis.call('HSET', KEYS[1 + block], unpack(fields))
  end
  redis.call('SET', KEYS[1], string.format('%.0f', last))
  giveWay(KEYS[RECORD_KEYS + 1 + last % (#KEYS - RECORD_KEYS)])
end

local strange = readMembers()
if strange then return { -1, strange } end
local answers = {}
for i, page in ipairs(pages) do answers[i] = answerTo(page) end
if strangeKey then return { -1, strangeKey } end
if next(newRecords) then write() end
return answers
