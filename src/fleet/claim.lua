-- Claims contents, each for the URL that comes first.
-- KEYS one for each claim. ARGV for each: 2, the URL, how long the claim lasts (ms).
-- Answers for each the URL that claimed it before, or false.
local answers = {}
for i, key in ipairs(KEYS) do
  answers[i] = redis.call('SET', key, ARGV[3 * i - 1], 'PX', ARGV[3 * i], 'NX', 'GET')
end
return answers
