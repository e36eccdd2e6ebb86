-- Adds up counts of a crawl over shards, where they need not lie in one slot. KEYS the counts of each.
-- Answers the shard in which most is open, and the one in which most is leased (0: none): there something will be longest;
-- then names and sums.

local totals = {}
local most, where = { open = 0, leased = 0 }, { open = 0, leased = 0 }
for i, key in ipairs(KEYS) do
  local found = redis.call('HGETALL', key)
  for at = 1, #found, 2 do
    local name, number = found[at], tonumber(found[at + 1]) or 0
    totals[name] = (totals[name] or 0) + number
    if most[name] and number > most[name] then most[name], where[name] = number, i end
  end
end

local answer = { where.open, where.leased }
for name, total in pairs(totals) do
  answer[#answer + 1] = name
  answer[#answer + 1] = string.format(total % 1 == 0 and '%.0f' or '%.17g', total)
end
return answer
