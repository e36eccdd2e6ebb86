-- What hosts are sorted by, for those who look at all of a million: some buckets at a time, and nothing else of them.
-- ARGV 2 the bucket to begin with, 3 whether their pace is wanted (1), which costs as much again. Buckets are split into
-- later ones only, so whoever goes on until the end misses no host, and may meet one twice.
-- Answers the bucket to go on with (-1: that was the last), and a line for each host: name, open, leased, done, excluded,
-- dead, gapMs, nextTouchAt, between tabs.

local BUCKETS_IN_A_CALL = 8
local first, isPaceWanted = tonumber(ARGV[2]), ARGV[3] == '1'
local buckets = tonumber(redis.call('HGET', KEYS[1], 'hostBuckets') or 1)
local last = math.min(first + BUCKETS_IN_A_CALL, buckets) - 1
local lines = {}

local function paceOf(name, crawl)
  local fleet = isPaceWanted and fleetRecords.read(name)
  if fleet then return fleet[GAP_MS], fleet[NEXT_TOUCH_AT] end
  return crawl[FIRST_GAP_MS], 0
end

for bucket = first, last do
  local found = redis.call('HGETALL', crawlBase .. 'hosts:' .. bucket)
  for i = 1, #found, 2 do
    local name, crawl = found[i], cmsgpack.unpack(found[i + 1])
    local leased = crawl[LEASED] + crawl[LEASED + 1] + crawl[LEASED + 2] + crawl[LEASED + 3]
    local gapMs, nextTouchAt = paceOf(name, crawl)
    local counts = { crawl[OPEN], leased, crawl[DONE], crawl[EXCLUDED], crawl[DEAD], gapMs, string.format('%.0f', nextTouchAt) }
    lines[#lines + 1] = name .. '\t' .. table.concat(counts, '\t')
  end
end
return { last + 1 < buckets and last + 1 or -1, table.concat(lines, '\n') }
