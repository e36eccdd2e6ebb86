-- Where the URLs and hosts of a crawl stand. A host has a list of retries that are due (`returned`) and one for each band.
-- At the head of each are the leased ones, which stay there until they are settled: so what a dead worker held is back in
-- line once the record says so. A host that has something to visit stands in one ready set, by its next moment.

local RETURNED, HIGH, LOW = 0, 1, 3
local SUNK = 4

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

-- Entries from place `first` (from 0) on, with those that this script has yet to write, without those among the leased ones
-- that it has yet to take out: whoever asks after that asks for what is not leased.
local function entriesOf(host, list, first, howMany)
  if howMany == 0 then return {} end
  local heads, tails, gone = host.heads[list], host.tails[list], host.gone[list] or 0
  if not heads and not tails then
    return look('LRANGE', queueKey(host, list), gone + first, gone + first + howMany - 1)
  end
  local all = {}
  appendAll(all, heads)
  appendAll(all, look('LRANGE', queueKey(host, list), gone, gone + first + howMany - 1))
  appendAll(all, tails)
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

local placed

anew(function() placed = {} end)

local function leaveReady(host)
  local place = host.crawl[PLACE]
  if place == 0 then return end
  write('ZREM', readyKey(place), host.name)
  host.crawl[PLACE] = 0
  crawlChanged(host)
end

local function standReady(host, place, dueAt)
  write('ZADD', readyKey(place), dueAt, host.name)
  mayBeLeasedAt(dueAt)
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
  crawl[LEASE], crawl[LEASED_UNTIL] = 0, 0
  write('ZREM', crawlBase .. 'held', host.name)
  crawlChanged(host)
  local right = rightPlace(host)
  if right ~= 0 then standReady(host, right, dueAt) end
  return right ~= 0
end

local function prolong(host, leaseMs)
  local expiresAt = now + leaseMs
  fleetOf(host)[EXPIRES_AT], host.crawl[LEASED_UNTIL] = expiresAt, expiresAt
  fleetChanged(host)
  crawlChanged(host)
  write('ZADD', crawlBase .. 'held', expiresAt, host.name)
end

local function isHeldBy(host, generation)
  return host and host.crawl[LEASE] == generation and (host.crawl[LEASED_UNTIL] or 0) > now
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

local BANDS = { 'high', 'medium', 'low' }

-- A URL is open from now on (1), or no longer (-1): queued or leased, of the crawl and of its band.
local function countOpen(entry, by)
  count('open', by)
  count(BANDS[bandOf(entry)], by)
end

local function shortOf(entry)
  local lineEnd = string.find(entry, '\n', 10, true)
  return string.sub(entry, 10, lineEnd and lineEnd - 1)
end

local function withAttempts(entry, attempts)
  local digit = math.min(attempts, #DIGITS - 1) + 1
  return string.sub(entry, 1, 1) .. string.sub(DIGITS, digit, digit) .. string.sub(entry, 3)
end

-- A revisit is marked by more redirects than there can be. While it is open its URL stands in a set of its host, so that
-- it is not asked for twice.
local function isRevisit(entry)
  return digitAt(entry, 1) >= 60
end

local function revisitsKey(name)
  return crawlBase .. 'revisits:' .. name
end

local function revisitBegins(host, short)
  write('SADD', revisitsKey(host.name), short)
  count('revisiting', 1)
end

local function revisitEnds(host, entry)
  if not isRevisit(entry) then return end
  write('SREM', revisitsKey(host.name), shortOf(entry))
  count('revisiting', -1)
end

-- What was excluded or given up, with the reason.
local function remember(host, state, reason, entry)
  revisitEnds(host, entry)
  write('HSET', crawlBase .. 'ended:' .. host.name, shortOf(entry), state .. reason .. '\n' .. entry)
end
