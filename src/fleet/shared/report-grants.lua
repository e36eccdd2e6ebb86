-- A worker tells what it has and gets grants: rights to bring one page each. All it tells are totals, so that a call
-- whose answer was lost can be repeated, and what a fail-over has forgotten is mended by the next call.
-- KEYS: grants of the crawl. Fields: `done` (pages settled, never fewer than there are), `held` (by all workers),
--   `epoch` (of the last count), `w:WORKER` (what it holds, what it has turned into pages, its token)
-- ARGV: worker, token (another each time it begins anew), 1 if it begins, held, turned into pages, wanted, most pages of
--   the crawl, 1 if it leaves
-- Answers { 'uncounted' } (the settled pages must be counted first), { 'unknown' } (begin anew with what is under
--   way), or { 'granted', number, left, held by all }.
local grants = KEYS[1]
local field, token, begins, leaves = 'w:' .. ARGV[1], ARGV[2], ARGV[3] == '1', ARGV[8] == '1'
local held, turned, wanted, most = tonumber(ARGV[4]), tonumber(ARGV[5]), tonumber(ARGV[6]), tonumber(ARGV[7])

local function text(number)
  return string.format('%.0f', number)
end

local function share_of(left)
  -- Small shares towards the end, so that no worker sits on grants that others wait for.
  local workers = math.max(1, redis.call('HLEN', grants) - 3)
  return math.max(0, math.min(wanted, left, math.max(1, math.floor(left / (2 * workers)))))
end

local totals = redis.call('HMGET', grants, 'done', 'held', field)
if not totals[1] then return { 'uncounted' } end

local known_held, known_turned, known_token = string.match(totals[3] or '0 0 ', '^(%d+) (%d+) (.*)$')
if known_token ~= token then
  if not begins then return { 'unknown' } end
  known_turned = 0
end
local done = totals[1] + turned - known_turned
local held_by_all = totals[2] + held - known_held
local granted = share_of(most - done - held_by_all)
held_by_all = held_by_all + granted

if leaves then
  redis.call('HDEL', grants, field)
else
  redis.call('HSET', grants, field, text(held + granted) .. ' ' .. text(turned) .. ' ' .. token)
end
redis.call('HSET', grants, 'done', text(done), 'held', text(held_by_all))
return { 'granted', granted, most - done - held_by_all, held_by_all }
