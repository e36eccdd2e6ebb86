-- What is known of a host: one record of the fleet's (all crawls share it) and one of the crawl's, each packed by
-- MessagePack as an array, in hash buckets that Redis keeps as one block of bytes (at most 128 fields of 64 bytes).

-- Fleet: 1 generation of the lease (0: nobody holds it), 2 when that expires, 3 when the host may be touched next,
-- 4 to 7 the pace: gapMs, burst (0: not known yet), connections, failures; 8 what it is held for ('': nothing),
-- 9 a crawl that found it held by another ('': none).
local GENERATION, EXPIRES_AT, NEXT_TOUCH_AT, GAP_MS, BURST, CONNECTIONS, FAILURES, HOLD, WANTED_BY = 1, 2, 3, 4, 5, 6, 7, 8, 9

-- Crawl: 1 generation of the lease (0: not leased), 2 the ready set it stands in (0: none, 1 to 3 the bands, 4 sunk),
-- 3 entries in a front list (0 or 1), 4 to 7 how many at the head of each of its lists are leased (returned, high,
-- medium, low), 8 to 11 counts (open, done, excluded, dead), 12 gapMs to begin with, 13 pages and 14 copies lately,
-- 15 to 18 how long each of its lists is.
local LEASE, PLACE, FRONT, LEASED, OPEN, DONE, EXCLUDED, DEAD, FIRST_GAP_MS, PAGES, COPIES = 1, 2, 3, 4, 8, 9, 10, 11, 12, 13, 14
local LENGTH = 15

local RETURNED, HIGH, LOW = 0, 1, 3
local SUNK = 4
local HOSTS_IN_BUCKET = 56

local crawlName = string.match(crawlBase, ':crawl:(.*):$')

local hashes = {}

local function hashOf(host)
  if not hashes[host] then hashes[host] = tonumber(string.sub(redis.sha1hex(host), 1, 8), 16) end
  return hashes[host]
end

-- Records of one kind. `split` grows it by a bucket when it is full.
local function openRecords(base, stateKey)
  local records, bucketsBase = {}, base .. 'hosts:'
  local hosts, buckets, readIn, writeIn

  local function open()
    if buckets then return end
    local state = redis.call('HMGET', stateKey, 'hosts', 'hostBuckets')
    hosts, buckets = tonumber(state[1] or 0), tonumber(state[2] or 1)
    readIn = bucketNames(bucketsBase, buckets)
    writeIn = readIn
  end

  function records.read(host)
    open()
    local packed = redis.call('HGET', readIn(hashOf(host)), host)
    return packed and cmsgpack.unpack(packed)
  end

  function records.write(host, record)
    open()
    write('HSET', writeIn(hashOf(host)), host, cmsgpack.pack(record))
  end

  function records.split()
    open()
    if hosts <= buckets * HOSTS_IN_BUCKET then return end
    writeIn = bucketNames(bucketsBase, buckets + 1)
    local source, moves = splitOf(buckets)
    local from, to = bucketsBase .. source, bucketsBase .. buckets
    local found = redis.call('HGETALL', from)
    for i = 1, #found, 2 do
      if moves(hashOf(found[i])) then
        write('HDEL', from, found[i])
        write('HSET', to, found[i], found[i + 1])
      end
    end
    write('HSET', stateKey, 'hostBuckets', buckets + 1)
  end

  return records
end

local crawlRecords = openRecords(crawlBase, KEYS[1])
local fleetRecords = openRecords(fleetBase, KEYS[2])

local read, changed = {}, {}

local function crawlRecord(gapMs)
  count('hosts', 1)
  return { 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, gapMs, 0, 0, 0, 0, 0, 0 }
end

local function fleetRecord(gapMs)
  return { 0, 0, 0, gapMs, 0, 0, 0, '', '' }
end

-- A host as this script works with it. `gapMs`: makes a record for it if there is none.
local function hostOf(name, gapMs)
  local host = read[name]
  if host then return host end
  local record = crawlRecords.read(name)
  if not record and not gapMs then return nil end
  host = { name = name, crawl = record or crawlRecord(gapMs), heads = {}, tails = {} }
  read[name] = host
  return host
end

local function fleetOf(host)
  if host.fleet then return host.fleet end
  local record = fleetRecords.read(host.name)
  host.isNewToFleet = not record
  host.fleet = record or fleetRecord(host.crawl[FIRST_GAP_MS])
  return host.fleet
end

local function crawlChanged(host)
  changed[host.name] = changed[host.name] or {}
  changed[host.name].crawl = true
end

local function fleetChanged(host)
  changed[host.name] = changed[host.name] or {}
  changed[host.name].fleet = true
end

local function commitHosts()
  local newToFleet = 0
  for name, what in pairs(changed) do
    local host = read[name]
    if what.crawl then crawlRecords.write(name, host.crawl) end
    if what.fleet then fleetRecords.write(name, host.fleet) end
    if what.fleet and host.isNewToFleet then newToFleet = newToFleet + 1 end
  end
  if newToFleet > 0 then write('HINCRBY', KEYS[2], 'hosts', newToFleet) end
  commit()
end

-- Its lists: `returned` (retries that are due) and one for each band. At the head of each are the leased ones, which
-- stay there until they are settled: so what a dead worker held is back in line once the record says so.

local function queueKey(host, list)
  return crawlBase .. 'queue:' .. list .. ':' .. host.name
end

local function waitingIn(host, list)
  return host.crawl[LENGTH + list] - host.crawl[LEASED + list]
end

local function lengthen(host, list, by)
  host.crawl[LENGTH + list] = host.crawl[LENGTH + list] + by
  crawlChanged(host)
end

local function enqueue(host, list, entry)
  write('RPUSH', queueKey(host, list), entry)
  lengthen(host, list, 1)
  host.tails[list] = host.tails[list] or {}
  table.insert(host.tails[list], entry)
end

-- Only while nothing of the list is leased.
local function enqueueFirst(host, list, entry)
  write('LPUSH', queueKey(host, list), entry)
  lengthen(host, list, 1)
  host.heads[list] = host.heads[list] or {}
  table.insert(host.heads[list], 1, entry)
end

local function appendAll(to, from)
  for _, one in ipairs(from or {}) do to[#to + 1] = one end
end

-- Entries from place `first` (from 0) on, with those that this script has yet to write.
local function entriesOf(host, list, first, howMany)
  if howMany == 0 then return {} end
  local all = {}
  appendAll(all, host.heads[list])
  appendAll(all, redis.call('LRANGE', queueKey(host, list), 0, first + howMany - 1))
  appendAll(all, host.tails[list])
  return { unpack(all, first + 1, first + howMany) }
end

local function isSunk(host)
  local pages = host.crawl[PAGES]
  return pages >= 20 and host.crawl[COPIES] / pages > 0.9
end

-- The ready set in which a host belongs: that of the best band it has something in.
local function rightPlace(host)
  local best = 0
  for list = LOW, RETURNED, -1 do
    if waitingIn(host, list) > 0 then best = math.max(list, HIGH) end
  end
  if best > 0 and isSunk(host) then return SUNK end
  return best
end

local function readyKey(place)
  return crawlBase .. 'ready:' .. place
end

local placed = {}

local function leaveReady(host)
  local place = host.crawl[PLACE]
  if place == 0 then return end
  write('ZREM', readyKey(place), host.name)
  host.crawl[PLACE] = 0
  crawlChanged(host)
end

local function standReady(host, place, dueAt)
  write('ZADD', readyKey(place), dueAt, host.name)
  host.crawl[PLACE] = place
  host.dueAt = dueAt
  placed[place] = placed[place] or {}
  table.insert(placed[place], host.name)
  crawlChanged(host)
end

-- Puts a host where it belongs, after anything about it has changed.
local function place(host)
  if host.crawl[LEASE] ~= 0 then return end
  local right = rightPlace(host)
  if right == host.crawl[PLACE] then return end
  leaveReady(host)
  if right ~= 0 then standReady(host, right, math.max(now, fleetOf(host)[NEXT_TOUCH_AT])) end
end

local function leaveAlone(host, untilAt)
  local fleet = fleetOf(host)
  fleet[NEXT_TOUCH_AT] = math.max(fleet[NEXT_TOUCH_AT], untilAt)
  fleetChanged(host)
end

local function hold(host, ms, reason)
  local fleet = fleetOf(host)
  if now + ms >= fleet[NEXT_TOUCH_AT] then fleet[HOLD] = reason end
  leaveAlone(host, now + ms)
end

-- The lease of a host ends: what was leased is queued, where it stands.
local function giveBack(host, dueAt)
  local crawl = host.crawl
  for list = RETURNED, LOW do
    count('leased', -crawl[LEASED + list])
    crawl[LEASED + list] = 0
  end
  crawl[LEASE] = 0
  write('ZREM', crawlBase .. 'held', host.name)
  crawlChanged(host)
  local right = rightPlace(host)
  if right ~= 0 then standReady(host, right, dueAt) end
  return right ~= 0
end

local function isHeldBy(host, generation)
  if not host or host.crawl[LEASE] ~= generation then return false end
  local fleet = fleetOf(host)
  return fleet[GENERATION] == generation and fleet[EXPIRES_AT] > now
end

-- Entries are made by the worker (entry.ts). A script reads an entry's band (in the first character), counts its attempts
-- (the second), and finds the URL in it, in the short form, from the tenth character to the end of the line.

local DIGITS = '0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ-_'

local function digitAt(entry, place)
  return string.find(DIGITS, string.sub(entry, place, place), 1, true) - 1
end

local function bandOf(entry)
  return digitAt(entry, 1) % 3 + HIGH
end

local function shortOf(entry)
  return string.match(entry, '^[^\n]*', 10)
end

local function withAttempts(entry, attempts)
  local digit = math.min(attempts, #DIGITS - 1) + 1
  return string.sub(entry, 1, 1) .. string.sub(DIGITS, digit, digit) .. string.sub(entry, 3)
end

-- What was excluded or given up, with the reason.
local function remember(host, state, reason, entry)
  write('HSET', crawlBase .. 'ended:' .. host.name, shortOf(entry), state .. reason .. '\n' .. entry)
end
