-- Makes URLs of a host that are done or dead letters wait once more, each at most once at a time.
--
-- ARGV 2 host, then for each URL its short form, its fingerprint, and its entry with the mark of a revisit.
-- Answers one letter for each: q queued, w waits already or is leased, r refused (excluded, or never seen).

local host = hostOf(ARGV[2])
local underWayKey, endedKey = revisitsKey(ARGV[2]), crawlBase .. 'ended:' .. ARGV[2]
local seenIn = bucketNames(crawlBase .. 'seen:', tonumber(redis.call('HGET', KEYS[1], 'seenBuckets') or 1))

-- Whoever asks has a record of each URL. That one's first visit is still open can only be if its worker died, or the
-- engine has forgotten, before it was settled: then it stands where it was leased, not far from where all begin.
local NEAR = 1000

local function isOfHost(name)
  return name == host.name
end

local function inQueues(found)
  local elsewhere = host.crawl[OPEN] - host.crawl[FRONT]
  for list = RETURNED, LOW do
    local length = host.crawl[LENGTH + list]
    elsewhere = elsewhere - length
    for _, entry in ipairs(entriesOf(host, list, 0, math.min(length, NEAR))) do found[shortOf(entry)] = true end
  end
  return elsewhere > 0
end

local function inFront(found)
  for list = HIGH, LOW do
    for _, one in ipairs(redis.call('LRANGE', crawlBase .. 'front:' .. list, 0, NEAR - 1)) do
      local name, entry = string.match(one, '^([^\t]*)\t(.*)$')
      if isOfHost(name) then found[shortOf(entry)] = true end
    end
  end
end

local function amongRetries(found)
  for _, one in ipairs(redis.call('ZRANGE', crawlBase .. 'delayed', 0, NEAR - 1)) do
    local name, entry = string.match(one, '^([^\t]*)\t[^\t]*\t(.*)$')
    if isOfHost(name) then found[shortOf(entry)] = true end
  end
end

local function unsettled()
  local found = {}
  if not host or host.crawl[OPEN] <= redis.call('SCARD', underWayKey) then return found end
  local hasRetries = inQueues(found)
  if host.crawl[FRONT] > 0 then inFront(found) end
  if hasRetries then amongRetries(found) end
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
for i = 3, #ARGV, 3 do answers[#answers + 1] = revisit(ARGV[i], ARGV[i + 1], ARGV[i + 2]) end
if string.find(table.concat(answers), 'q', 1, true) then place(host) end
commitHosts()
return table.concat(answers)
