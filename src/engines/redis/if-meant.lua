-- Calls what stands before this if the engine is the one that is meant. A restart gives it another ID, and so does a
-- replica that takes over.
--
-- ARGV last: the ID that is meant, or '' for any; the rest is for the call
-- Answers { ID }, or { ID, what the call answers }.

local meant = table.remove(ARGV)
local info = redis.call('INFO', 'server')
if meant ~= '' and string.find(info, meant, 1, true) then return { meant, call() } end
local engine = string.match(info, 'run_id:(%x+)')
if meant ~= '' then return { engine } end
return { engine, call() }
