-- What every script of the frontier begins with: time, writes that wait until all is read, and buckets that grow.
--
-- KEYS 1 the crawl's counts in this shard, 2 the fleet's state of this shard. Both carry the shard's hash tag; so does
-- every other key, which is found while the script runs (the queues of a host, the bucket of a fingerprint).
-- ARGV 1 first part of the crawl's keys, 2 of the fleet's, 3 the time in ms for tests (0: the engine's own).
--
-- While a slot of a Cluster moves, a command on a key that has gone, or was never there, ends the script. So nothing is
-- written before everything is known: writes are gathered, `commit` looks at every key among them that was not read, and
-- only then are they done. A script that fails has changed nothing, and can be sent again.

local crawlBase, fleetBase = ARGV[1], ARGV[2]
local FIRST_ARGUMENT = 4

local function engineTime()
  local time = redis.call('TIME')
  return time[1] * 1000 + math.floor(time[2] / 1000)
end

local now = tonumber(ARGV[3])
if now == 0 then now = engineTime() end

-- Reads a key that may be written later.
local looked = {}

local function look(command, key, ...)
  looked[key] = true
  return redis.call(command, key, ...)
end

local writes, lastOf = {}, {}
local TAKES_MANY = { HDEL = true, HSET = true, RPUSH = true, SADD = true, SREM = true, ZADD = true, ZREM = true }
local GROWS = { HSET = true, HINCRBY = true, LPUSH = true, RPUSH = true, SADD = true, SET = true, ZADD = true }

-- What is done to a key one after the other by a command that takes many is done at once.
local function write(command, key, ...)
  local last = lastOf[key]
  if last and last[1] == command and TAKES_MANY[command] then
    for _, argument in ipairs({ ... }) do last[#last + 1] = argument end
    return
  end
  last = { command, key, ... }
  lastOf[key] = last
  writes[#writes + 1] = last
end

-- Counters of the crawl in this shard: open (queued or leased), of those high, medium and low, and revisiting; leased, done,
-- excluded, dead; hosts, seen; numbers of buckets. `dueAt`: before that moment nothing can be leased here; it may be too
-- early, never too late. Absent in a crawl that began before there was such a mark, until the next lease.
local COUNTS = {
  'open', 'high', 'medium', 'low', 'revisiting', 'leased', 'done', 'excluded', 'dead',
  'hosts', 'hostBuckets', 'seen', 'seenBuckets', 'dueAt',
}
local counts

-- What settled visits have added stands there too, by name.
local function sumOf(name)
  return 'sum:' .. name
end

-- To be called before anything else is read: these are read in the same go.
local function willAdd(name)
  COUNTS[#COUNTS + 1] = sumOf(name)
end

local function readCounts()
  if counts then return counts end
  counts = {}
  for i, value in ipairs(look('HMGET', KEYS[1], unpack(COUNTS))) do counts[COUNTS[i]] = tonumber(value) end
  return counts
end

local added = {}

local function count(name, by)
  added[name] = (added[name] or 0) + by
end

-- Something may be leased from this moment on.
local dueFrom

local function mayBeLeasedAt(moment)
  if not dueFrom or moment < dueFrom then dueFrom = moment end
end

local function noteDue()
  local dueAt = dueFrom and readCounts().dueAt
  if dueAt and dueFrom < dueAt then write('HSET', KEYS[1], 'dueAt', string.format('%.0f', dueFrom)) end
end

local function writeCounts()
  for name, by in pairs(added) do
    local sum = (readCounts()[name] or 0) + by
    if by ~= 0 then write('HSET', KEYS[1], name, string.format(sum % 1 == 0 and '%.0f' or '%.17g', sum)) end
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
local function engineRun()
  return string.match(redis.call('INFO', 'server'), 'run_id:(%x+)')
end
