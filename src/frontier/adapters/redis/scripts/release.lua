-- Ends a lease: what was not settled is queued where it stands, and the host is ready when its pace and a hold allow.
--
-- ARGV 4 host, 5 generation, 6 how long ago it was touched (ms, -1: it was not), 7 to 10 its pace (gapMs, burst,
-- connections, failures), 11 ms for which it must be left alone (-1: none) and 12 why.
-- Answers ms until the host is due (-1: it has nothing to visit), or false if the lease is not the host's current one.

-- How long another crawl that waits for the host may take to come for it.
local OTHERS_FIRST_MS = 2500

local host = hostOf(ARGV[4])
if not isHeldBy(host, tonumber(ARGV[5])) then return false end

local fleet, gapMs = fleetOf(host), tonumber(ARGV[7])
fleet[GENERATION], fleet[EXPIRES_AT] = 0, 0
fleet[GAP_MS], fleet[BURST], fleet[CONNECTIONS], fleet[FAILURES] = gapMs, tonumber(ARGV[8]), tonumber(ARGV[9]), tonumber(ARGV[10])
fleetChanged(host)
if ARGV[6] ~= '-1' then leaveAlone(host, now - tonumber(ARGV[6]) + gapMs) end
if ARGV[11] ~= '-1' then hold(host, tonumber(ARGV[11]), ARGV[12]) end

local dueAt = math.max(now, fleet[NEXT_TOUCH_AT])
if fleet[WANTED_BY] ~= '' and fleet[WANTED_BY] ~= crawlName then
  fleet[WANTED_BY] = ''
  dueAt = dueAt + OTHERS_FIRST_MS
end
local hasMore = giveBack(host, dueAt)
commitHosts()
return hasMore and dueAt - now or -1
