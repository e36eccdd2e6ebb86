-- Ends visits of a lease: takes their URLs out of the queue and counts them. One that is not among the leased ones was
-- settled before, and changes nothing. Then, where that is asked for, ends the lease itself: what was not settled is queued
-- where it stands, and the host is ready when its pace and a hold allow; or goes on with it.
--
-- ARGV 2 host, 3 generation, 4 ms for which the host must be left alone (-1: none) and 5 why; 6 how many arguments follow
-- about the lease. 0: it goes on as it is. 10: how long ago the host was touched (ms, -1: it was not), four of its pace
-- (gapMs, burst, connections, failures), with how many further URLs the lease may go on (0: it ends), how long it lasts
-- then (ms), and the weights of the bands. Then for each visit the URL in its short form, what became of it (done, retry,
-- excluded, dead), a number (done: 1 a copy, 0 none, -1 no page; retry: ms to wait), the reason, and what it adds to the
-- crawl's sums as JSON ('': nothing).
-- Answers false if the lease is not the host's current one; -2 if it goes on as it is; if it has ended, ms until the host is
-- due (-1: it has nothing to visit); if it goes on with further URLs, their entries.

local ENDING, VISIT = 7, 5
local firstVisit = ENDING + tonumber(ARGV[6])

local host = hostOf(ARGV[2])
if not isHeldBy(host, tonumber(ARGV[3])) then return false end

local wanted, howMany = {}, 0
for i = firstVisit, #ARGV, VISIT do
  if not wanted[ARGV[i]] then
    wanted[ARGV[i]], howMany = true, howMany + 1
  end
end
local taken = takeOut(host, wanted, howMany)

for i = firstVisit, #ARGV, VISIT do
  local entry = taken[ARGV[i]]
  if entry then
    taken[ARGV[i]] = nil
    endings[ARGV[i + 1]](host, entry, tonumber(ARGV[i + 2]), ARGV[i + 3])
    if ARGV[i + 4] ~= '' then countAll(cjson.decode(ARGV[i + 4])) end
  end
end

local holdMs, why = tonumber(ARGV[4]), ARGV[5]
if firstVisit == ENDING then
  if holdMs >= 0 then hold(host, holdMs, why) end
  return -2
end

local numbers = {}
for i = 0, 9 do numbers[i] = tonumber(ARGV[ENDING + i]) end
local mayGoOn = numbers[5] > 0 and rightPlace(host) ~= 0 and not isWantedByOthers(host) and holdMs < 0
if not mayGoOn then return release(host, holdMs, why, unpack(numbers, 0, 4)) end
useWeights(unpack(numbers, 7, 9))
return goOn(host, numbers[5], numbers[6])
