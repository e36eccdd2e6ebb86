-- Notes in a shard that it was well at this moment, unless it has forgotten an earlier note: then nothing is written, so
-- that a second call tells the same.
-- KEYS: the beacon
-- ARGV: the note that the caller knows of ('': none)
-- Answers { 'lit', note before, note now } or { 'lost', note before }; a note is a moment in ms, '' if there was none.
local beacon, known = KEYS[1], tonumber(ARGV[1])

local before = redis.call('GET', beacon) or ''
local moment = tonumber(before)
if before ~= '' and not moment then return { 'strange' } end
if known and (moment or -1) < known then return { 'lost', before } end

local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local note = string.format('%.0f', math.max(now, (moment or 0) + 1))
redis.call('SET', beacon, note)
return { 'lit', before, note }
