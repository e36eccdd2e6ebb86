-- Gives up URLs that cannot be due in time: of hosts that are held beyond the horizon, from a ready set; or retries.
--
-- ARGV 2 where to look: a ready set (1 to 4) or `delayed`, 3 the horizon (ms from now), 4 how many to pass over, 5 how
-- many URLs to give up at most. Answers how many were given up, how many were kept and must be passed over next time,
-- and 1 if there is more to see.

local place, horizon, offset, limit = ARGV[2], now + tonumber(ARGV[3]), tonumber(ARGV[4]), tonumber(ARGV[5])
local HOSTS_IN_A_CALL, RETRIES_IN_A_CALL = 20, 100
local abandoned, kept = 0, 0

local function isHeld(host)
  local fleet = fleetOf(host)
  return fleet[GENERATION] == 0 and fleet[HOLD] ~= '' and fleet[NEXT_TOUCH_AT] > horizon
end

local function giveUp(host, entry, reason)
  local crawl = host.crawl
  crawl[OPEN], crawl[DEAD] = crawl[OPEN] - 1, crawl[DEAD] + 1
  crawlChanged(host)
  countOpen(entry, -1)
  count('dead', 1)
  remember(host, 'd', reason, entry)
  abandoned = abandoned + 1
end

local function giveUpQueues(host)
  for list = RETURNED, LOW do
    local entries = redis.call('LRANGE', queueKey(host, list), 0, limit - abandoned - 1)
    for _, entry in ipairs(limit > abandoned and entries or {}) do
      giveUp(host, entry, fleetOf(host)[HOLD])
      write('LPOP', queueKey(host, list))
      lengthen(host, list, -1)
    end
  end
  local right = rightPlace(host)
  if right ~= host.crawl[PLACE] then
    leaveReady(host)
    if right ~= 0 then standReady(host, right, fleetOf(host)[NEXT_TOUCH_AT]) end
  end
end

local function giveUpHosts()
  local names = redis.call('ZRANGE', readyKey(place), offset, offset + HOSTS_IN_A_CALL - 1)
  for _, name in ipairs(names) do
    if abandoned >= limit then return true end
    local host = hostOf(name)
    if isHeld(host) then giveUpQueues(host) else kept = kept + 1 end
  end
  return #names == HOSTS_IN_A_CALL or abandoned >= limit
end

local function giveUpRetries()
  local key = crawlBase .. 'delayed'
  local found = redis.call('ZRANGE', key, offset, offset + RETRIES_IN_A_CALL - 1, 'WITHSCORES')
  for i = 1, #found, 2 do
    local name, reason, entry = string.match(found[i], '^([^\t]*)\t([^\t]*)\t(.*)$')
    local host = hostOf(name)
    if tonumber(found[i + 1]) > horizon or isHeld(host) then
      giveUp(host, entry, reason)
      write('ZREM', key, found[i])
    else
      kept = kept + 1
    end
  end
  return #found == 2 * RETRIES_IN_A_CALL
end

local more
if place == 'delayed' then more = giveUpRetries() else more = giveUpHosts() end
commitHosts()
return { abandoned, kept, more and 1 or 0 }
