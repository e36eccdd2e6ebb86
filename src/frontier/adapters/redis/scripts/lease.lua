-- Leases hosts that may be touched now, or in a moment, each with a batch of its URLs. On the way it returns leases that
-- have expired and wakes retries that are due, a few in each call.
--
-- ARGV 2 hosts at most, 3 URLs of each at most, 4 how long a lease lasts (ms), 5 how far ahead of its time a host may be
-- leased (ms), 6 to 8 weights of the bands, 9 how long an engine that has just begun to serve holds back (ms).
-- Answers ms until something may be due (-1: nothing waits), whether more hosts are due now, and for each lease: host,
-- generation, wait, quiet time, gapMs (as text), burst (0: not known), connections, failures, 1 if sunk, then entries.

local maxHosts, maxUrls = tonumber(ARGV[2]), tonumber(ARGV[3])
local leaseMs, aheadMs, holdBackMs = tonumber(ARGV[4]), tonumber(ARGV[5]), tonumber(ARGV[9])
useWeights(tonumber(ARGV[6]), tonumber(ARGV[7]), tonumber(ARGV[8]))

local EXPIRED_IN_A_CALL, WOKEN_IN_A_CALL = 20, 20
-- How soon to look again for a host that another crawl holds.
local LOOK_AGAIN_MS = 2000

local heldKey, delayedKey = crawlBase .. 'held', crawlBase .. 'delayed'

readShares()

-- An engine that has just started, or taken over from another, may have forgotten leases of the last moment, whose
-- holders go on. It grants none until those have ended.
local function readRestart()
  local runId = engineRun()
  local state = readState()
  if state.runId == runId then return state.restartedAt, state.heldBackUntil end
  local restartedAt, backAt = 0, 0
  if state.runId then restartedAt, backAt = now, now + holdBackMs end
  write('HSET', KEYS[2], 'runId', runId, 'restartedAt', restartedAt, 'heldBackUntil', backAt)
  return restartedAt, backAt
end

local restartedAt, backAt = readRestart()

-- A host of which nothing was heard since may have been touched by such a holder until the very end.
local function mayBeTouchedAt(fleet)
  local nextTouchAt = fleet[NEXT_TOUCH_AT]
  if nextTouchAt >= restartedAt or restartedAt == 0 then return nextTouchAt end
  return math.max(nextTouchAt, backAt + fleet[GAP_MS])
end

-- Whoever held it may have touched it a moment ago.
local function endExpiredLease(host)
  local fleet = fleetOf(host)
  fleet[GENERATION], fleet[EXPIRES_AT] = 0, 0
  leaveAlone(host, now + fleet[GAP_MS])
end

local soonest

local function mayBeDueAt(moment)
  if not soonest or moment < soonest then soonest = moment end
end

-- Which of the first members of a sorted set are due by a moment. Of those that are not, the first says when to ask again.
local function dueIn(key, byMoment, limit)
  local found, due = look('ZRANGE', key, 0, limit - 1, 'WITHSCORES'), {}
  for i = 1, #found, 2 do
    local moment = tonumber(found[i + 1])
    if moment > byMoment then
      mayBeDueAt(moment)
      break
    end
    due[#due + 1] = found[i]
  end
  return due
end

local function returnExpired()
  local expired = dueIn(heldKey, now, EXPIRED_IN_A_CALL)
  for _, name in ipairs(expired) do
    local host = hostOf(name)
    -- Another crawl may have found it expired, and hold it since.
    if fleetOf(host)[GENERATION] == host.crawl[LEASE] then endExpiredLease(host) end
    giveBack(host, fleetOf(host)[NEXT_TOUCH_AT])
  end
  return #expired == EXPIRED_IN_A_CALL
end

local function wakeDelayed()
  local due = dueIn(delayedKey, now, WOKEN_IN_A_CALL)
  for _, delayed in ipairs(due) do
    local name, entry = string.match(delayed, '^([^\t]*)\t[^\t]*\t(.*)$')
    local host = hostOf(name)
    write('ZREM', delayedKey, delayed)
    enqueue(host, RETURNED, entry)
    place(host)
  end
  return #due == WOKEN_IN_A_CALL
end

-- Whether a host may be leased; if not, it is put off.
local function isFree(host)
  local fleet = fleetOf(host)
  if fleet[GENERATION] ~= 0 and fleet[EXPIRES_AT] <= now then endExpiredLease(host) end
  if fleet[GENERATION] ~= 0 then
    if fleet[WANTED_BY] ~= crawlName then
      fleet[WANTED_BY] = crawlName
      fleetChanged(host)
    end
    return false, math.min(fleet[EXPIRES_AT], now + LOOK_AGAIN_MS)
  end
  local touchAt = mayBeTouchedAt(fleet)
  return touchAt <= now + aheadMs, touchAt
end

local windows = {}
local windowSize = maxHosts + 4

-- What stands first in a ready set and a front list, with what this call has added.
local function windowOf(place)
  if windows[place] then return windows[place] end
  local window = { ready = {}, front = {}, atReady = 0, atFront = 0 }
  window.ready = dueIn(readyKey(place), now + aheadMs, windowSize)
  if place <= LOW then window.front = look('LRANGE', crawlBase .. 'front:' .. place, 0, windowSize - 1) end
  window.more = #window.ready == windowSize or #window.front == windowSize
  appendAll(window.ready, placed[place])
  windows[place] = window
  return window
end

local function firstReady(place, window)
  while window.atReady < #window.ready do
    local host = hostOf(window.ready[window.atReady + 1])
    if host and host.crawl[PLACE] == place and host.crawl[LEASE] == 0 then
      local free, dueAt = isFree(host)
      if free then return host end
      write('ZADD', readyKey(place), dueAt, host.name)
      mayBeDueAt(dueAt)
    end
    window.atReady = window.atReady + 1
  end
end

-- The first of a front list goes to the host's own queue.
local function leaveFront(host, place, window, entry)
  window.atFront = window.atFront + 1
  write('LPOP', crawlBase .. 'front:' .. place)
  host.crawl[FRONT] = 0
  crawlChanged(host)
  if host.crawl[LEASED + place] == 0 then enqueueFirst(host, place, entry) else enqueue(host, place, entry) end
end

local function firstInFront(place, window)
  while window.atFront < #window.front do
    local name, entry = string.match(window.front[window.atFront + 1], '^([^\t]*)\t(.*)$')
    local host = hostOf(name)
    local free, dueAt
    if host.crawl[LEASE] == 0 then free, dueAt = isFree(host) end
    if free then return host, entry end
    leaveFront(host, place, window, entry)
    if dueAt then
      leaveReady(host)
      standReady(host, rightPlace(host), dueAt)
      mayBeDueAt(dueAt)
    end
  end
end

-- All that stands here was looked at: what this call has put somewhere is part of it.
local NEVER = 9e15

local function writeDue(moment)
  dueFrom = nil
  if readCounts().dueAt ~= moment then write('HSET', KEYS[1], 'dueAt', string.format('%.0f', moment)) end
end

local granted = {}

-- The next host of a set that is free, by turns from the ready set and the front list, so that neither starves.
-- With its entry, if it comes from the front list.
local function firstOf(place)
  local window = windowOf(place)
  if place > LOW then return firstReady(place, window) end
  if #granted % 2 == 0 then
    local host, entry = firstInFront(place, window)
    if host then return host, entry end
    return firstReady(place, window)
  end
  local host = firstReady(place, window)
  if host then return host end
  return firstInFront(place, window)
end

local generation = readState().generation or 0

-- Rises with every lease of the shard, and with time: an engine that forgot the last moment repeats none.
local function nextGeneration()
  generation = math.max(generation + 1, now * 1000)
  return generation
end

local function grant(host)
  local fleet, crawl = fleetOf(host), host.crawl
  leaveReady(host)
  fleet[GENERATION], fleet[EXPIRES_AT] = nextGeneration(), now + leaseMs
  fleet[HOLD] = ''
  if fleet[WANTED_BY] == crawlName then fleet[WANTED_BY] = '' end
  crawl[LEASE], crawl[LEASED_UNTIL] = fleet[GENERATION], fleet[EXPIRES_AT]
  fleetChanged(host)
  write('ZADD', heldKey, fleet[EXPIRES_AT], host.name)
  local nextTouchAt = mayBeTouchedAt(fleet)
  local lease = { host.name, generation, math.max(0, nextTouchAt - now), math.max(0, now - nextTouchAt) }
  appendAll(lease, { tostring(fleet[GAP_MS]), fleet[BURST], fleet[CONNECTIONS], fleet[FAILURES], isSunk(host) and 1 or 0 })
  appendAll(lease, take(host, maxUrls))
  granted[#granted + 1] = lease
end

-- What this call itself has put off. Only asked when nothing is left that is due.
local function lookAhead()
  for place = HIGH, SUNK do
    for _, name in ipairs(placed[place] or {}) do
      local host = read[name]
      if host.crawl[PLACE] == place and host.dueAt > now + aheadMs then mayBeDueAt(host.dueAt) end
    end
  end
  if #granted > 0 then mayBeDueAt(now + leaseMs) end
end

fleetRecords.split()
local more = returnExpired()
more = wakeDelayed() or more

if backAt > now then
  mayBeDueAt(backAt)
else
  local function isThere(place) return firstOf(place) ~= nil end
  while #granted < maxHosts do
    local place = nextShare(isThere)
    if not place then break end
    local host, entry = firstOf(place)
    if entry then leaveFront(host, place, windowOf(place), entry) end
    grant(host)
  end
  for place = HIGH, SUNK do more = more or windowOf(place).more or isThere(place) end
  if #granted > 0 then
    write('HSET', KEYS[2], 'generation', generation)
    writeShares()
  end
end
if not more then lookAhead() end
writeDue(more and now or soonest or NEVER)
commitHosts()
return { soonest and math.max(0, soonest - now) or -1, more and 1 or 0, unpack(granted) }
