-- Notes in shards that they were well at this moment. In one that has forgotten an earlier note nothing is written, so
-- that a second call tells the same.
-- KEYS: the beacons
-- ARGV: for each the note that the caller knows of ('': none)
-- Answers for each { 'lit', note before, note now }, { 'lost', note before } or { 'strange' }; a note is a moment in ms, ''
-- if there was none.
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local answer, notes = {}, {}

local function sighting(beacon, text, known)
  -- Something else than a text is told only to who asks for it alone.
  local before = text or redis.call('GET', beacon) or ''
  local moment = tonumber(before)
  if before ~= '' and not moment then return { 'strange' } end
  if known and (moment or -1) < known then return { 'lost', before } end
  local note = string.format('%.0f', math.max(now, (moment or 0) + 1))
  notes[#notes + 1] = beacon
  notes[#notes + 1] = note
  return { 'lit', before, note }
end

for i, text in ipairs(redis.call('MGET', unpack(KEYS))) do
  answer[i] = sighting(KEYS[i], text, tonumber(ARGV[i]))
end
if #notes > 0 then redis.call('MSET', unpack(notes)) end
return answer
