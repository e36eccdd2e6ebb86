-- Admits URLs, each once: new ones are remembered as seen and queued, or excluded. Offered again they are known.
--
-- ARGV 2 URLs that a host may have (0: any number), 3 number of hosts; for each host its name and first gap; then for
-- each candidate the number of its host, its fingerprint, why it is refused ('': it is not) and its entry.
-- Answers one letter for each candidate: a admitted, k known, x excluded, b over budget.

local maxUrlsPerHost, hostCount = tonumber(ARGV[2]), tonumber(ARGV[3])
local SEEN_IN_BUCKET = 170

local seenCount, buckets = readCounts().seen or 0, readCounts().seenBuckets or 1
local seenBase = crawlBase .. 'seen:'
local readIn = bucketNames(seenBase, buckets)
local writeIn = readIn

local function splitSeen()
  if seenCount <= buckets * SEEN_IN_BUCKET then return end
  writeIn = bucketNames(seenBase, buckets + 1)
  local source, moves = splitOf(buckets)
  local from, to = seenBase .. source, seenBase .. buckets
  local moving = {}
  for _, fingerprint in ipairs(look('SMEMBERS', from)) do
    if moves(tonumber(fingerprint)) then moving[#moving + 1] = fingerprint end
  end
  if #moving > 0 then
    write('SREM', from, unpack(moving))
    write('SADD', to, unpack(moving))
  end
  write('HSET', KEYS[1], 'seenBuckets', buckets + 1)
end

local FIRST_CANDIDATE, CANDIDATE = 4 + 2 * hostCount, 4
local isSeen = {}

-- All of a bucket at once.
local function readSeen()
  local inBucket = {}
  for i = FIRST_CANDIDATE, #ARGV, CANDIDATE do
    local fingerprint = ARGV[i + 1]
    local bucket = readIn(tonumber(fingerprint))
    inBucket[bucket] = inBucket[bucket] or {}
    table.insert(inBucket[bucket], fingerprint)
  end
  for bucket, fingerprints in pairs(inBucket) do
    for i, answer in ipairs(look('SMISMEMBER', bucket, unpack(fingerprints))) do
      if answer == 1 then isSeen[fingerprints[i]] = true end
    end
  end
end

-- Answers whether it was new, and remembers it from now on.
local function see(fingerprint)
  if isSeen[fingerprint] then return false end
  isSeen[fingerprint] = true
  write('SADD', writeIn(tonumber(fingerprint)), fingerprint)
  count('seen', 1)
  return true
end

local function admittedOf(host)
  local crawl = host.crawl
  return crawl[OPEN] + crawl[DONE] + crawl[EXCLUDED] + crawl[DEAD]
end

local function exclude(host, reason, entry)
  host.crawl[EXCLUDED] = host.crawl[EXCLUDED] + 1
  count('excluded', 1)
  remember(host, 'x', reason, entry)
end

-- So that the first who leases can tell whether the engine was restarted meanwhile.
if not readState().runId then
  write('HSET', KEYS[2], 'runId', engineRun(), 'restartedAt', 0, 'heldBackUntil', 0)
end

splitSeen()
crawlRecords.split()
readSeen()

local hosts, gaps = {}, {}
for i = 1, hostCount do
  hosts[i], gaps[i] = ARGV[2 + 2 * i], tonumber(ARGV[3 + 2 * i])
end

local answers, fresh = {}, {}

local function admit(candidate, fingerprint, refusal, entry)
  if not see(fingerprint) then return 'k' end
  local host = hostOf(hosts[candidate], gaps[candidate])
  crawlChanged(host)
  local isFull = maxUrlsPerHost > 0 and admittedOf(host) >= maxUrlsPerHost
  if refusal ~= '' or isFull then
    exclude(host, refusal ~= '' and refusal or 'host-budget', entry)
    return refusal ~= '' and 'x' or 'b'
  end
  host.crawl[OPEN] = host.crawl[OPEN] + 1
  countOpen(entry, 1)
  fresh[host.name] = fresh[host.name] or {}
  table.insert(fresh[host.name], entry)
  return 'a'
end

for i = FIRST_CANDIDATE, #ARGV, CANDIDATE do
  answers[#answers + 1] = admit(tonumber(ARGV[i]), ARGV[i + 1], ARGV[i + 2], ARGV[i + 3])
end

-- The only URL of a host that has nothing else to do: queue, record of the fleet and place in a ready set would cost
-- several times its length. It stands in a list that all such hosts of the shard share.
local function standInFront(host, entry)
  local crawl = host.crawl
  if crawl[FRONT] > 0 or crawl[PLACE] ~= 0 or crawl[LEASE] ~= 0 or isSunk(host) then return false end
  crawl[FRONT] = 1
  write('RPUSH', crawlBase .. 'front:' .. bandOf(entry), host.name .. '\t' .. entry)
  mayBeLeasedAt(now)
  return true
end

for name, entries in pairs(fresh) do
  local host = read[name]
  if #entries > 1 or not standInFront(host, entries[1]) then
    for _, entry in ipairs(entries) do enqueue(host, bandOf(entry), entry) end
    place(host)
  end
end

commitHosts()
return table.concat(answers)
