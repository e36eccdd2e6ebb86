-- How a lease ends, or goes on.

-- How long another crawl that waits for the host may take to come for it.
local OTHERS_FIRST_MS = 2500

local function isWantedByOthers(host)
  local fleet = fleetOf(host)
  return fleet[WANTED_BY] ~= '' and fleet[WANTED_BY] ~= crawlName
end

local function goOn(host, howMany, leaseMs)
  prolong(host, leaseMs)
  readShares()
  local entries = take(host, howMany)
  writeShares()
  return entries
end

-- `holdMs`: for which the host must be left alone, and why (-1: none). Answers ms until it is due; -1: it has nothing to visit.
local function release(host, holdMs, why, touchedMsAgo, gapMs, burst, connections, failures)
  local fleet = fleetOf(host)
  fleet[GENERATION], fleet[EXPIRES_AT] = 0, 0
  fleet[GAP_MS], fleet[BURST], fleet[CONNECTIONS], fleet[FAILURES] = gapMs, burst, connections, failures
  fleetChanged(host)
  if touchedMsAgo >= 0 then leaveAlone(host, now - touchedMsAgo + gapMs) end
  if holdMs >= 0 then hold(host, holdMs, why) end
  local dueAt = math.max(now, fleet[NEXT_TOUCH_AT])
  if isWantedByOthers(host) then
    fleet[WANTED_BY] = ''
    dueAt = dueAt + OTHERS_FIRST_MS
  end
  return giveBack(host, dueAt) and dueAt - now or -1
end
