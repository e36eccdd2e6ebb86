-- Claims contents, each for the URL that comes first.
-- KEYS the contents. ARGV for each claim: 2, or -2 if it is of the same content as the one before; the URL; how long the
-- claim lasts (ms). Answers for each the URL that claimed it before, or false.
local answers, content = {}, 0
for i = 1, #ARGV, 3 do
  if ARGV[i] == '2' then content = content + 1 end
  answers[#answers + 1] = redis.call('SET', KEYS[content], ARGV[i + 1], 'PX', ARGV[i + 2], 'NX', 'GET')
end
return answers
