-- Prolongs a lease, and adds further URLs of its host.
--
-- ARGV 2 host, 3 generation, 4 further URLs at most, 5 how long the lease lasts from now on (ms), 6 to 8 weights of
-- the bands. Answers the entries, or false if the lease is not the host's current one.

local host = hostOf(ARGV[2])
if not isHeldBy(host, tonumber(ARGV[3])) then return false end
useWeights(tonumber(ARGV[6]), tonumber(ARGV[7]), tonumber(ARGV[8]))

prolong(host, tonumber(ARGV[5]))

local entries = {}
if tonumber(ARGV[4]) > 0 then
  readShares()
  entries = take(host, tonumber(ARGV[4]))
  if #entries > 0 then writeShares() end
end
return entries
