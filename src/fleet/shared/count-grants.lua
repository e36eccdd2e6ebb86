-- Corrects `done` by the truth, which was read elsewhere after `done` had been read here, and takes the grants of dead
-- workers back. What was told since then may be in the truth as well and is counted twice: too many for a moment, never
-- too few, and the next count mends it. Only one count at a time takes effect, since an older truth would undo a newer.
-- KEYS: grants of the crawl
-- ARGV: epoch and `done` as they were read ('' if there were none), settled pages, dead workers...
-- Answers 1, or 0 when another count came first.
local grants = KEYS[1]
local epoch, done_before, settled = ARGV[1], ARGV[2], tonumber(ARGV[3])

local function text(number)
  return string.format('%.0f', number)
end

local known = redis.call('HMGET', grants, 'epoch', 'done', 'held')
if (known[1] or '') ~= epoch then return 0 end

local held = tonumber(known[3] or 0)
for i = 4, #ARGV do
  local worker = redis.call('HGET', grants, 'w:' .. ARGV[i])
  if worker then
    held = held - string.match(worker, '^%d+')
    redis.call('HDEL', grants, 'w:' .. ARGV[i])
  end
end

local told_since = done_before == '' and 0 or known[2] - done_before
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local new_epoch = math.max(now, (tonumber(epoch) or 0) + 1)
redis.call('HSET', grants, 'epoch', text(new_epoch), 'done', text(settled + told_since), 'held', text(held))
return 1
