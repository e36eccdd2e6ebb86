-- In which shards may something be leased, and when? Changes nothing, and costs a fraction of a lease: for workers that
-- have nothing to do and look around.
--
-- KEYS 1… the crawl's counts in each shard. ARGV 1 the time in ms for tests (0: the engine's own), 2 how far ahead of its
-- time a host may be leased (ms).
-- Answers for each shard ms until something may be due (-1: nothing waits). Scripts keep a mark of that with the counts.

local now, aheadMs = tonumber(ARGV[1]), tonumber(ARGV[2])
if now == 0 then
  local time = redis.call('TIME')
  now = time[1] * 1000 + math.floor(time[2] / 1000)
end

local function firstOf(key)
  return tonumber(redis.call('ZRANGE', key, 0, 0, 'WITHSCORES')[2])
end

-- For crawls that have no such mark yet.
local function searched(base)
  if redis.call('EXISTS', base .. 'front:1', base .. 'front:2', base .. 'front:3') > 0 then return now end
  local soonest
  local function mayBe(moment)
    if moment and (not soonest or moment < soonest) then soonest = moment end
  end
  for place = 1, 4 do
    local moment = firstOf(base .. 'ready:' .. place)
    if moment and moment <= now + aheadMs then return now end
    mayBe(moment)
  end
  mayBe(firstOf(base .. 'delayed'))
  mayBe(firstOf(base .. 'held'))
  return soonest
end

local NEVER = 9e15

local function dueInMs(key)
  local marked = tonumber(redis.call('HGET', key, 'dueAt'))
  local moment = marked or searched(string.sub(key, 1, -#'counts' - 1))
  if not moment or moment >= NEVER then return -1 end
  if moment <= now + aheadMs then return 0 end
  return math.ceil(moment - now)
end

local answer = {}
for i = 1, #KEYS do answer[i] = dueInMs(KEYS[i]) end
return answer
