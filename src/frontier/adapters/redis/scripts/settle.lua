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

local ENDING = 7
local firstVisit = ENDING + tonumber(ARGV[6])

local host = hostOf(ARGV[2])
if not isHeldBy(host, tonumber(ARGV[3])) then return false end
local crawl = host.crawl

local leased = {}
for list = RETURNED, LOW do
  for at, entry in ipairs(entriesOf(host, list, 0, crawl[LEASED + list])) do
    leased[shortOf(entry)] = { list = list, entry = entry, at = at }
  end
end

local function isPage(copy)
  crawl[PAGES] = crawl[PAGES] + 1
  crawl[COPIES] = crawl[COPIES] + copy
  -- Old times fade (see sinking.ts).
  if crawl[PAGES] >= 64 then crawl[PAGES], crawl[COPIES] = crawl[PAGES] / 2, crawl[COPIES] / 2 end
end

local function close(entry, counter, name)
  crawl[OPEN] = crawl[OPEN] - 1
  crawl[counter] = crawl[counter] + 1
  countOpen(entry, -1)
  count(name, 1)
end

local endings = {}

function endings.done(entry, number)
  if number >= 0 then isPage(number) end
  revisitEnds(host, entry)
  close(entry, DONE, 'done')
end

function endings.excluded(entry, _, reason)
  close(entry, EXCLUDED, 'excluded')
  remember(host, 'x', reason, entry)
end

function endings.dead(entry, _, reason)
  close(entry, DEAD, 'dead')
  remember(host, 'd', reason, entry)
end

function endings.retry(entry, afterMs, reason)
  local delayed = host.name .. '\t' .. reason .. '\t' .. withAttempts(entry, digitAt(entry, 2) + 1)
  write('ZADD', crawlBase .. 'delayed', now + afterMs, delayed)
  mayBeLeasedAt(now + afterMs)
end

-- By list: entries, and the place of the last one.
local settled, lastPlace = { [RETURNED] = {}, {}, {}, {} }, { [RETURNED] = 0, 0, 0, 0 }

for i = firstVisit, #ARGV, 5 do
  local visit = leased[ARGV[i]]
  if visit then
    leased[ARGV[i]] = nil
    crawl[LEASED + visit.list] = crawl[LEASED + visit.list] - 1
    count('leased', -1)
    table.insert(settled[visit.list], visit.entry)
    lastPlace[visit.list] = math.max(lastPlace[visit.list], visit.at)
    endings[ARGV[i + 1]](visit.entry, tonumber(ARGV[i + 2]), ARGV[i + 3])
    if ARGV[i + 4] ~= '' then countAll(cjson.decode(ARGV[i + 4])) end
  end
end

for list, entries in pairs(settled) do
  if #entries > 0 then
    -- Most often they are the head of the list.
    if lastPlace[list] == #entries then
      write('LPOP', queueKey(host, list), #entries)
    else
      for _, entry in ipairs(entries) do write('LREM', queueKey(host, list), 1, entry) end
    end
    lengthen(host, list, -#entries)
    host.gone[list] = #entries
  end
end

local isHeldBack = ARGV[4] ~= '-1'

local function holdBack()
  if isHeldBack then hold(host, tonumber(ARGV[4]), ARGV[5]) end
end

-- How long another crawl that waits for the host may take to come for it.
local OTHERS_FIRST_MS = 2500

local function isWantedByOthers()
  local fleet = fleetOf(host)
  return fleet[WANTED_BY] ~= '' and fleet[WANTED_BY] ~= crawlName
end

local function goOn(howMany, leaseMs)
  prolong(host, leaseMs)
  useWeights(tonumber(ARGV[ENDING + 7]), tonumber(ARGV[ENDING + 8]), tonumber(ARGV[ENDING + 9]))
  readShares()
  local entries = take(host, howMany)
  writeShares()
  return entries
end

local function release(touchedMsAgo, gapMs, burst, connections, failures)
  local fleet = fleetOf(host)
  fleet[GENERATION], fleet[EXPIRES_AT] = 0, 0
  fleet[GAP_MS], fleet[BURST], fleet[CONNECTIONS], fleet[FAILURES] = gapMs, burst, connections, failures
  fleetChanged(host)
  if touchedMsAgo >= 0 then leaveAlone(host, now - touchedMsAgo + gapMs) end
  holdBack()
  local dueAt = math.max(now, fleet[NEXT_TOUCH_AT])
  if isWantedByOthers() then
    fleet[WANTED_BY] = ''
    dueAt = dueAt + OTHERS_FIRST_MS
  end
  return giveBack(host, dueAt) and dueAt - now or -1
end

local function endLease()
  local numbers = {}
  for i = 0, 6 do numbers[i] = tonumber(ARGV[ENDING + i]) end
  local mayGoOn = numbers[5] > 0 and rightPlace(host) ~= 0 and not isWantedByOthers() and not isHeldBack
  if mayGoOn then return goOn(numbers[5], numbers[6]) end
  return release(unpack(numbers, 0, 4))
end

local answer = -2
if firstVisit > ENDING then answer = endLease() else holdBack() end
return answer
