-- What is known of a host: one record of the fleet's (all crawls share it) and one of the crawl's, each packed by
-- MessagePack as an array, in hash buckets that Redis keeps as one block of bytes (at most 128 fields of 64 bytes).

-- Fleet: 1 generation of the lease (0: nobody holds it), 2 when that expires, 3 when the host may be touched next,
-- 4 to 7 the pace: gapMs, burst (0: not known yet), connections, failures; 8 what it is held for ('': nothing),
-- 9 a crawl that found it held by another ('': none).
local GENERATION, EXPIRES_AT, NEXT_TOUCH_AT, GAP_MS, BURST, CONNECTIONS, FAILURES, HOLD, WANTED_BY = 1, 2, 3, 4, 5, 6, 7, 8, 9

-- Crawl: 1 generation of the lease (0: not leased), 2 the ready set it stands in (0: none, 1 to 3 the bands, 4 sunk),
-- 3 entries in a front list (0 or 1), 4 to 7 how many at the head of each of its lists are leased (returned, high,
-- medium, low), 8 to 11 counts (open, done, excluded, dead), 12 gapMs to begin with, 13 pages and 14 copies lately,
-- 15 to 18 how long each of its lists is, 19 when the lease expires: until then the fleet's record cannot tell of another.
local LEASE, PLACE, FRONT, LEASED, OPEN, DONE, EXCLUDED, DEAD, FIRST_GAP_MS, PAGES, COPIES = 1, 2, 3, 4, 8, 9, 10, 11, 12, 13, 14
local LENGTH, LEASED_UNTIL = 15, 19

local HOSTS_IN_BUCKET = 56

local hashes = {}

local function hashOf(host)
  if not hashes[host] then hashes[host] = tonumber(string.sub(redis.sha1hex(host), 1, 8), 16) end
  return hashes[host]
end

-- Records of one kind. `split` grows it by a bucket when it is full.
local function openRecords(base, stateKey, readState)
  local records, bucketsBase = {}, base .. 'hosts:'
  local hosts, buckets, readIn, writeIn

  local function open()
    if buckets then return end
    local state = readState()
    hosts, buckets = state.hosts or 0, state.hostBuckets or 1
    readIn = bucketNames(bucketsBase, buckets)
    writeIn = readIn
  end

  function records.read(host)
    open()
    local packed = look('HGET', readIn(hashOf(host)), host)
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
    local found = look('HGETALL', from)
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

local crawlName, state, read, changed, crawlRecords, fleetRecords

-- Of the shard, for all crawls.
local function readState()
  if state then return state end
  local values = look('HMGET', KEYS[2], 'hosts', 'hostBuckets', 'generation', 'runId', 'restartedAt', 'heldBackUntil')
  state = { hosts = tonumber(values[1]), hostBuckets = tonumber(values[2]), generation = tonumber(values[3]) }
  state.runId, state.restartedAt, state.heldBackUntil = values[4], tonumber(values[5]), tonumber(values[6])
  return state
end

anew(function()
  crawlName, state, read, changed = string.match(crawlBase, ':crawl:(.*):$'), nil, {}, {}
  crawlRecords = openRecords(crawlBase, KEYS[1], readCounts)
  fleetRecords = openRecords(fleetBase, KEYS[2], readState)
end)

local function crawlRecord(gapMs)
  count('hosts', 1)
  return { 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, gapMs, 0, 0, 0, 0, 0, 0, 0 }
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
  host = { name = name, crawl = record or crawlRecord(gapMs), lettersBefore = record and record[DEAD] or 0 }
  -- By list: entries that this script has yet to put before and behind the others, and how many it has yet to take out.
  host.heads, host.tails, host.gone = {}, {}, {}
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

-- Who looks for dead letters finds the hosts that have some without reading all of them.
local function noteLetters(host)
  local had, has = host.lettersBefore > 0, host.crawl[DEAD] > 0
  if had ~= has then write(has and 'SADD' or 'SREM', crawlBase .. 'letters', host.name) end
end

local function commitHosts()
  local newToFleet = 0
  for name, what in pairs(changed) do
    local host = read[name]
    if what.crawl then
      crawlRecords.write(name, host.crawl)
      noteLetters(host)
    end
    if what.fleet then fleetRecords.write(name, host.fleet) end
    if what.fleet and host.isNewToFleet then newToFleet = newToFleet + 1 end
  end
  if newToFleet > 0 then write('HINCRBY', KEYS[2], 'hosts', newToFleet) end
  commit()
end
