-- Prolongs a lease, and adds further URLs of its host.
--
-- ARGV 4 host, 5 generation, 6 further URLs at most, 7 how long the lease lasts from now on (ms), 8 to 10 weights of
-- the bands. Answers the entries, or false if the lease is not the host's current one.

local host = hostOf(ARGV[4])
if not isHeldBy(host, tonumber(ARGV[5])) then return false end
useWeights(tonumber(ARGV[8]), tonumber(ARGV[9]), tonumber(ARGV[10]))

prolong(host, tonumber(ARGV[7]))

local entries = {}
if tonumber(ARGV[6]) > 0 then
  readShares()
  entries = take(host, tonumber(ARGV[6]))
  if #entries > 0 then writeShares() end
end
commitHosts()
return entries
