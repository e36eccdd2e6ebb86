-- What every script of the frontier begins with: time, writes that wait until all is read, and buckets that grow.
--
-- KEYS 1 the crawl's counts in this shard, 2 the fleet's state of this shard. Both carry the shard's hash tag; so does
-- every other key, which is found while the script runs (the queues of a host, the bucket of a fingerprint).
-- ARGV 1 the time in ms for tests (0: the engine's own).
--
-- While a slot of a Cluster moves, a command on a key that has gone, or was never there, ends the script. So nothing is
-- written before everything is known: writes are gathered, `commit` looks at every key among them that was not read, and
-- only then are they done. A script that fails has changed nothing, and can be sent again.

local KEYS, ARGV = KEYS, ARGV
local crawlBase, fleetBase, now
local FIRST_ARGUMENT = 2

-- What a shard begins anew with, part by part: a script may carry out several calls, in several shards.
local parts = {}

local function anew(part)
  parts[#parts + 1] = part
  part()
end

local engineNow

local function engineTime()
  if not engineNow then
    local time = redis.call('TIME')
    engineNow = time[1] * 1000 + math.floor(time[2] / 1000)
  end
  return engineNow
end

local function readTime()
  now = tonumber(ARGV[1])
  if now == 0 then now = engineTime() end
end

local looked, writes, lastOf, counts, added, dueFrom, isCommitted

anew(function()
  crawlBase, fleetBase = string.sub(KEYS[1], 1, -#'counts' - 1), string.sub(KEYS[2], 1, -#'state' - 1)
  looked, writes, lastOf, counts, added, dueFrom, isCommitted = {}, {}, {}, nil, {}, nil, false
  readTime()
end)

-- For a script that is sent for several calls at once. ARGV how many arguments each has, then these; KEYS two for each
-- that has others than the one before: if it has not, that number is negative. Answers what each has answered.
--
-- What calls in a row do to one shard is committed together: they find in memory what was read for the first of them, and
-- counts and records are written once. Not so if a call has committed by itself, or comes to what `isBegun`.
local function forEach(call, commitAll, isBegun)
  local keys, arguments, answers, at, place = KEYS, ARGV, {}, 1, -1
  while arguments[at] do
    local length = tonumber(arguments[at])
    local last = at + math.abs(length)
    local isElsewhere = length > 0
    ARGV = { unpack(arguments, at + 1, last) }
    if isElsewhere or isCommitted or isBegun() then
      if at > 1 and not isCommitted then commitAll() end
      if isElsewhere then place = place + 2 end
      KEYS = { keys[place], keys[place + 1] }
      for _, part in ipairs(parts) do part() end
    else
      readTime()
    end
    answers[#answers + 1] = call()
    at = last + 1
  end
  if #answers > 0 and not isCommitted then commitAll() end
  return answers
end

-- Reads a key that may be written later.
local function look(command, key, ...)
  looked[key] = true
  return redis.call(command, key, ...)
end

local TAKES_MANY = { HDEL = true, HSET = true, RPUSH = true, SADD = true, SREM = true, ZADD = true, ZREM = true }
local GROWS = { HSET = true, HINCRBY = true, LPUSH = true, RPUSH = true, SADD = true, SET = true, ZADD = true }

-- What is done to a key one after the other by a command that takes many is done at once.
local function write(command, key, ...)
  local last = lastOf[key]
  if last and last[1] == command and TAKES_MANY[command] then
    for i = 1, select('#', ...) do last[#last + 1] = (select(i, ...)) end
    return
  end
  if last and last[1] == command and command == 'SET' then
    last[3] = ...
    return
  end
  last = { command, key, ... }
  lastOf[key] = last
  writes[#writes + 1] = last
end

-- Counters of the crawl in this shard: open (queued or leased), of those high, medium and low, and revisiting; leased, done,
-- excluded, dead; hosts, seen; numbers of buckets. `dueAt`: before that moment nothing can be leased here; it may be too
-- early, never too late. Absent in a crawl that began before there was such a mark, until the next lease.
local READ = { 'hosts', 'hostBuckets', 'seen', 'seenBuckets', 'dueAt' }

-- What a step decides by. The others are only added to, and read when that is known.
local function readCounts()
  if counts then return counts end
  counts = {}
  for i, value in ipairs(look('HMGET', KEYS[1], unpack(READ))) do counts[READ[i]] = tonumber(value) end
  return counts
end

local function count(name, by)
  added[name] = (added[name] or 0) + by
end

-- What settled visits have added stands there too, by name.
local function countAll(adds)
  for name, by in pairs(adds) do count('sum:' .. name, by) end
end

-- Something may be leased from this moment on.
local function mayBeLeasedAt(moment)
  if not dueFrom or moment < dueFrom then dueFrom = moment end
end

local function noteDue()
  local dueAt = dueFrom and readCounts().dueAt
  if dueAt and dueFrom < dueAt then write('HSET', KEYS[1], 'dueAt', string.format('%.0f', dueFrom)) end
end

local function writeCounts()
  local names = {}
  for name, by in pairs(added) do
    if by ~= 0 then names[#names + 1] = name end
  end
  if #names == 0 then return end
  for i, value in ipairs(look('HMGET', KEYS[1], unpack(names))) do
    local sum = (tonumber(value) or 0) + added[names[i]]
    write('HSET', KEYS[1], names[i], string.format(sum % 1 == 0 and '%.0f' or '%.17g', sum))
  end
end

-- An engine without memory refuses what grows, until something was written: so that comes first, and it is all or nothing.
local function growFirst()
  local isBehind = {}
  for i, command in ipairs(writes) do
    local key = command[2]
    if GROWS[command[1]] and not isBehind[key] then
      table.insert(writes, 1, table.remove(writes, i))
      return
    end
    isBehind[key] = true
  end
end

local function lookAtOthers()
  local keys = {}
  for key in pairs(lastOf) do
    if not looked[key] then keys[#keys + 1] = key end
  end
  if #keys > 0 then redis.call('EXISTS', unpack(keys)) end
end

local function commit()
  isCommitted = true
  writeCounts()
  noteDue()
  if #writes == 0 then return end
  lookAtOthers()
  growFirst()
  for _, command in ipairs(writes) do redis.call(unpack(command)) end
end

-- Sets and hashes stay small and cheap because their number grows with what they hold (linear hashing): `buckets` says
-- it all. One bucket is split in a call, at most. Until then a value is read where it was, and written where it will be.

-- The largest power of two that is not above the number of buckets.
local function wholeOf(buckets)
  local whole = 1
  while whole * 2 <= buckets do whole = whole * 2 end
  return whole
end

-- Names the bucket of a hash, among so many.
local function bucketNames(base, buckets)
  local whole, names = wholeOf(buckets), {}
  return function(hash)
    local index = hash % whole
    if index < buckets - whole then index = hash % (whole * 2) end
    local name = names[index]
    if not name then
      name = base .. index
      names[index] = name
    end
    return name
  end
end

-- When another bucket is added: the one that is split, and which of its hashes move.
local function splitOf(buckets)
  local whole = wholeOf(buckets)
  return buckets - whole, function(hash) return hash % (whole * 2) == buckets end
end

-- Names the process that serves: another one after a restart or a fail-over.
local runId

local function engineRun()
  runId = runId or string.match(redis.call('INFO', 'server'), 'run_id:(%x+)')
  return runId
end
