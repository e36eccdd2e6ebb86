-- Takes the lead when nobody has it, or goes on leading.
-- KEYS: leader (gone when its life ends), term
-- ARGV: id, term that the caller leads in ('': none), life in ms
-- Answers the term the caller leads in now, or 0: another leads, or its own term has ended.
local leader, last_term = KEYS[1], KEYS[2]
local id, term, life = ARGV[1], ARGV[2], ARGV[3]

local holder = redis.call('GET', leader)
if holder then
  if term == '' or holder ~= term .. ' ' .. id then return 0 end
  redis.call('PEXPIRE', leader, life)
  return tonumber(term)
end
if term ~= '' then return 0 end

-- The clock, and not a count alone: so no term comes twice, also when a fail-over has lost the last one.
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local new_term = math.max(now, (tonumber(redis.call('GET', last_term)) or 0) + 1)
local text = string.format('%.0f', new_term)
redis.call('SET', last_term, text)
redis.call('SET', leader, text .. ' ' .. id, 'PX', life)
return new_term
