-- Keeps numbers and URLs of originals. Some other goes when there are too many: near-duplicates of that one are then
-- missed, never invented.
--
-- KEYS: for each original its records, by fingerprint: number (8 bytes), URL
-- ARGV: most records under a key, then for each original its fingerprint and record

local most = tonumber(ARGV[1])

for i, records in ipairs(KEYS) do
  local fingerprint = ARGV[2 * i]
  if redis.call('HSETNX', records, fingerprint, ARGV[2 * i + 1]) == 1 and redis.call('HLEN', records) > most then
    local other = redis.call('HRANDFIELD', records)
    if other ~= fingerprint then redis.call('HDEL', records, other) end
  end
end
return 1
