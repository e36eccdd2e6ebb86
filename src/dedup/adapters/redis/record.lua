-- Keeps number and URL of an original. Some other goes when there are too many: near-duplicates of that one are then
-- missed, never invented.
--
-- KEYS: records, by fingerprint: number (8 bytes), URL
-- ARGV: most records under a key, fingerprint, record

local records, most, fingerprint = KEYS[1], tonumber(ARGV[1]), ARGV[2]

if redis.call('HSETNX', records, fingerprint, ARGV[3]) == 1 and redis.call('HLEN', records) > most then
  local other = redis.call('HRANDFIELD', records)
  if other ~= fingerprint then redis.call('HDEL', records, other) end
end
return 1
