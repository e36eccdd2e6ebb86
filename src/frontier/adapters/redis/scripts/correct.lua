-- A person decides about dead letters of a host: to try them again, or to drop them for good.
-- ARGV 2 `retry` or `drop`, 3 host, then the URLs in their short form. Answers how many were dead letters.

local verb, host = ARGV[2], hostOf(ARGV[3])
local endedKey = crawlBase .. 'ended:' .. ARGV[3]
local corrected = 0

local function retry(short, entry)
  write('HDEL', endedKey, short)
  if isRevisit(entry) then revisitBegins(host, short) end
  enqueue(host, bandOf(entry), withAttempts(entry, 0))
  host.crawl[OPEN] = host.crawl[OPEN] + 1
  countOpen(entry, 1)
end

local function drop(short, entry, reason)
  write('HSET', endedKey, short, 'xdropped: ' .. reason .. '\n' .. entry)
  host.crawl[EXCLUDED] = host.crawl[EXCLUDED] + 1
  count('excluded', 1)
end

-- The host is well again, a person says: its circuit closes. What its server asked for still holds.
local function forgive()
  local fleet = fleetOf(host)
  fleet[FAILURES] = 0
  fleetChanged(host)
  if fleet[GENERATION] ~= 0 then return end
  if fleet[HOLD] ~= 'retry-after' then fleet[HOLD], fleet[NEXT_TOUCH_AT] = '', 0 end
  leaveReady(host)
end

for i = 4, #ARGV do
  local remembered = host and redis.call('HGET', endedKey, ARGV[i])
  local reason, entry = string.match(remembered or '', '^d([^\n]*)\n(.*)$')
  if reason then
    if verb == 'retry' then retry(ARGV[i], entry) else drop(ARGV[i], entry, reason) end
    host.crawl[DEAD] = host.crawl[DEAD] - 1
    count('dead', -1)
    crawlChanged(host)
    corrected = corrected + 1
  end
end

if corrected > 0 and verb == 'retry' then
  forgive()
  place(host)
end
commitHosts()
return corrected
