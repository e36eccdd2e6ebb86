-- Adds up counts of a crawl over shards, where they need not lie in one slot. KEYS the counts of each.
-- Answers the first shard in which something is open, and the first in which something is leased (0: none), then names and
-- sums.

local totals, firstOpen, firstLeased = {}, {}, 0, 0
for i, key in ipairs(KEYS) do
  local found = redis.call('HGETALL', key)
  for at = 1, #found, 2 do
    local name, number = found[at], tonumber(found[at + 1]) or 0
    totals[name] = (totals[name] or 0) + number
    if number > 0 then
      if name == 'open' and firstOpen == 0 then firstOpen = i end
      if name == 'leased' and firstLeased == 0 then firstLeased = i end
    end
  end
end

local answer = { firstOpen, firstLeased }
for name, total in pairs(totals) do
  answer[#answer + 1] = name
  answer[#answer + 1] = string.format(total % 1 == 0 and '%.0f' or '%.17g', total)
end
return answer
