-- Enters an original, undecided at first; one that is there stays, unless it was withdrawn.
-- KEYS: records, by fingerprint: state ('?' undecided, 'o' original, 'x' withdrawn), moment in us (8 bytes), URL
-- ARGV: fingerprint, URL, state to enter, most records under this key
-- Answers { the record as it is now, 1 if a withdrawn one was there }.
local records, fingerprint, url, state, most = KEYS[1], ARGV[1], ARGV[2], ARGV[3], tonumber(ARGV[4])

local known = redis.call('HGET', records, fingerprint)
local was_withdrawn = known and string.sub(known, 1, 1) == 'x'
if known and not was_withdrawn then return { known, 0 } end

-- Some other goes: near-duplicates of it are then missed, never invented.
if not known and redis.call('HLEN', records) >= most then
  redis.call('HDEL', records, redis.call('HRANDFIELD', records))
end
local time = redis.call('TIME')
local record = state .. struct.pack('>d', time[1] * 1000000 + time[2]) .. url
redis.call('HSET', records, fingerprint, record)
return { record, was_withdrawn and 1 or 0 }
