-- Changes the state of a crawl, if it is one of those expected, works by the order expected, and the caller still leads.
-- KEYS: the crawl, active crawls, version, term of the leader
-- ARGV: id, state, detail, 1 if the state is final, term the caller leads in ('': it need not lead), expected order as
-- moment.revision ('': any), expected states...
-- Answers 'changed', 'unchanged' (it was so already), 'unknown', 'refused' (another state or order) or 'deposed'.
local crawl, active, version, leader_term = KEYS[1], KEYS[2], KEYS[3], KEYS[4]
local id, state, detail, final, term, order = ARGV[1], ARGV[2], ARGV[3], ARGV[4], ARGV[5], ARGV[6]

local function is_expected(current)
  if #ARGV == 6 then return true end
  for i = 7, #ARGV do
    if ARGV[i] == current then return true end
  end
  return false
end

local known = redis.call('HMGET', crawl, 'state', 'detail', 'created_at', 'changed_at', 'revision')
if not known[1] then return 'unknown' end
if term ~= '' and redis.call('GET', leader_term) ~= term then return 'deposed' end
if known[1] == state and known[2] == detail then return 'unchanged' end
if not is_expected(known[1]) then return 'refused' end
if order ~= '' and order ~= known[4] .. '.' .. (known[5] or 0) then return 'refused' end

local time = redis.call('TIME')
-- Another moment for every change, since orders are named by it.
local now = math.max(time[1] * 1000 + math.floor(time[2] / 1000), (tonumber(known[4]) or 0) + 1)
redis.call('HSET', crawl, 'state', state, 'detail', detail, 'changed_at', now)
if final == '1' then
  redis.call('ZREM', active, id)
else
  redis.call('ZADD', active, known[3], id)
end
redis.call('SET', version, string.format('%.0f', math.max(now, (tonumber(redis.call('GET', version)) or 0) + 1)))
return 'changed'
