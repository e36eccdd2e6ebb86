-- Makes URLs of a host that are done or dead letters wait once more, each at most once at a time.
--
-- ARGV 4 host, then for each URL its short form, its fingerprint, and its entry with the mark of a revisit.
-- Answers one letter for each: q queued, w waits already or is leased, r refused (excluded, or never seen).

local host = hostOf(ARGV[4])
local underWayKey, endedKey = revisitsKey(ARGV[4]), crawlBase .. 'ended:' .. ARGV[4]
local seenIn = bucketNames(crawlBase .. 'seen:', tonumber(redis.call('HGET', KEYS[1], 'seenBuckets') or 1))

-- Of URLs whose first visit is still open, one can have a record only if its worker died before it was settled. Such
-- stand where they were leased: at the heads, and there are no more of them than one worker has under way.
local AT_THE_HEADS = 1000

local function unsettled()
  local found = {}
  if not host or host.crawl[OPEN] <= redis.call('SCARD', underWayKey) then return found end
  for list = RETURNED, LOW do
    for _, entry in ipairs(entriesOf(host, list, 0, math.min(host.crawl[LENGTH + list], AT_THE_HEADS))) do
      found[shortOf(entry)] = true
    end
  end
  return found
end

local open = unsettled()

local function reopen(short, remembered, entry)
  if remembered then write('HDEL', endedKey, short) end
  local counter, name = DONE, 'done'
  if remembered then counter, name = DEAD, 'dead' end
  host.crawl[counter] = host.crawl[counter] - 1
  host.crawl[OPEN] = host.crawl[OPEN] + 1
  count(name, -1)
  countOpen(entry, 1)
end

local function revisit(short, fingerprint, entry)
  if not host or redis.call('SISMEMBER', seenIn(tonumber(fingerprint)), fingerprint) == 0 then return 'r' end
  if open[short] or redis.call('SISMEMBER', underWayKey, short) == 1 then return 'w' end
  local remembered = redis.call('HGET', endedKey, short)
  if remembered and string.sub(remembered, 1, 1) ~= 'd' then return 'r' end
  open[short] = true
  reopen(short, remembered, entry)
  revisitBegins(host, short)
  enqueue(host, bandOf(entry), entry)
  return 'q'
end

local answers = {}
for i = 5, #ARGV, 3 do answers[#answers + 1] = revisit(ARGV[i], ARGV[i + 1], ARGV[i + 2]) end
if string.find(table.concat(answers), 'q', 1, true) then place(host) end
commitHosts()
return table.concat(answers)
