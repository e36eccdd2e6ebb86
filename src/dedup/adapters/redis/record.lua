-- Keeps the number and URL of an original. Some other goes when there are too many: near-duplicates of that one are then
-- missed, never invented.
-- KEYS: records, by fingerprint: number (8 bytes), URL
-- ARGV: fingerprint, record, most records under this key
local records, fingerprint, record, most = KEYS[1], ARGV[1], ARGV[2], tonumber(ARGV[3])

if redis.call('HSETNX', records, fingerprint, record) == 1 and redis.call('HLEN', records) > most then
  local other = redis.call('HRANDFIELD', records)
  if other ~= fingerprint then redis.call('HDEL', records, other) end
end
return 1
