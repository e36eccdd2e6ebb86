-- Decides about a record that is undecided.
-- KEYS: records, by fingerprint (see claim.lua)
-- ARGV: fingerprint, new state, URL whose record it must be ('': whosever it is)
-- Answers the record as it is now, or nil.
local records, fingerprint, state, url = KEYS[1], ARGV[1], ARGV[2], ARGV[3]

local record = redis.call('HGET', records, fingerprint)
if not record or string.sub(record, 1, 1) ~= '?' then return record end
if url ~= '' and string.sub(record, 10) ~= url then return record end
record = state .. string.sub(record, 2)
redis.call('HSET', records, fingerprint, record)
return record
