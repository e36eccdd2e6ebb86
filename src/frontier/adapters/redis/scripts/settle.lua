-- Ends visits of a lease: takes their URLs out of the queue and counts them. One that is not among the leased ones was
-- settled before, and changes nothing.
--
-- ARGV 4 host, 5 generation, 6 ms for which the host must be left alone (-1: none) and 7 why; then for each visit the
-- URL in its short form, what became of it (done, retry, excluded, dead), a number (done: 1 a copy, 0 none, -1 no page;
-- retry: ms to wait), the reason, and what it adds to the crawl's sums as JSON ('': nothing).
-- Answers 1, or 0 if the lease is not the host's current one.

local host = hostOf(ARGV[4])
if not isHeldBy(host, tonumber(ARGV[5])) then return 0 end
local crawl = host.crawl

if ARGV[6] ~= '-1' then hold(host, tonumber(ARGV[6]), ARGV[7]) end

local leased = {}
for list = RETURNED, LOW do
  for _, entry in ipairs(entriesOf(host, list, 0, crawl[LEASED + list])) do
    leased[shortOf(entry)] = { list = list, entry = entry }
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

local sums = {}

local function add(adds)
  for name, by in pairs(cjson.decode(adds)) do sums[name] = (sums[name] or 0) + by end
end

local function writeSums()
  local key, names = crawlBase .. 'sums', {}
  for name in pairs(sums) do names[#names + 1] = name end
  if #names == 0 then return end
  for i, before in ipairs(look('HMGET', key, unpack(names))) do
    local sum = (tonumber(before) or 0) + sums[names[i]]
    write('HSET', key, names[i], string.format(sum % 1 == 0 and '%.0f' or '%.17g', sum))
  end
end

-- By list.
local settled = { [RETURNED] = {}, {}, {}, {} }

for i = 8, #ARGV, 5 do
  local visit = leased[ARGV[i]]
  if visit then
    leased[ARGV[i]] = nil
    crawl[LEASED + visit.list] = crawl[LEASED + visit.list] - 1
    count('leased', -1)
    table.insert(settled[visit.list], visit.entry)
    endings[ARGV[i + 1]](visit.entry, tonumber(ARGV[i + 2]), ARGV[i + 3])
    if ARGV[i + 4] ~= '' then add(ARGV[i + 4]) end
  end
end

for list, entries in pairs(settled) do
  if #entries > 0 then
    if crawl[LEASED + list] == 0 then
      -- All that were leased, so they are the head of the list.
      write('LPOP', queueKey(host, list), #entries)
    else
      for _, entry in ipairs(entries) do write('LREM', queueKey(host, list), 1, entry) end
    end
    lengthen(host, list, -#entries)
  end
end

writeSums()
commitHosts()
return 1
