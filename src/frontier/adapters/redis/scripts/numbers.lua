-- Reads several hashes at once, where they need not lie in one slot. KEYS the hashes. Answers fields and values of each.

local answer = {}
for i, key in ipairs(KEYS) do answer[i] = redis.call('HGETALL', key) end
return answer
