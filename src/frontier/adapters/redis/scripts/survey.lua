-- Reads the crawl's records of some hosts. ARGV 4 the bucket to begin with. Buckets are split into later ones only, so
-- whoever goes on until the end misses no host, and may meet one twice.
-- Answers the bucket to go on with (-1: that was the last), then for each host: name, then leased ones by list (returned,
-- high, medium, low), open, done, excluded, dead, 1 if it has an entry in a front list, 1 if it is sunk, gapMs (as
-- text), nextTouchAt, what it is held for.

local BUCKETS_IN_A_CALL = 4
local first = tonumber(ARGV[4])
local buckets = tonumber(redis.call('HGET', KEYS[1], 'hostBuckets') or 1)
local last = math.min(first + BUCKETS_IN_A_CALL, buckets) - 1
local answer = { last + 1 < buckets and last + 1 or -1 }

for bucket = first, last do
  for _, name in ipairs(redis.call('HKEYS', crawlBase .. 'hosts:' .. bucket)) do
    local host = hostOf(name)
    local crawl, fleet = host.crawl, fleetOf(host)
    local row = { name, unpack(crawl, LEASED, DEAD) }
    appendAll(row, { crawl[FRONT], isSunk(host) and 1 or 0, tostring(fleet[GAP_MS]), fleet[NEXT_TOUCH_AT], fleet[HOLD] })
    answer[#answer + 1] = row
  end
end
return answer
