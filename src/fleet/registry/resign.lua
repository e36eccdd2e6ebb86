-- Gives up the lead, if the caller still has it.
-- KEYS: leader
-- ARGV: id, term
if redis.call('GET', KEYS[1]) ~= ARGV[2] .. ' ' .. ARGV[1] then return 0 end
return redis.call('DEL', KEYS[1])
