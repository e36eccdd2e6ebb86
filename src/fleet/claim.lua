-- Claims contents, each for the URL that comes first. Claims come in two generations: the young one becomes the old one,
-- and that is dropped, when it has been young for as long as a claim lasts. So nothing has to expire one by one.
--
-- KEYS 1 when the generations changed, 2 young and 3 old claims: URL by content
-- ARGV 1 how long a claim lasts, at least (ms), then for each its content and URL
-- Answers for each the URL that claimed it before, or false.

local turnedKey, young, old, lifeMs = KEYS[1], KEYS[2], KEYS[3], tonumber(ARGV[1])
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)

if now - (tonumber(redis.call('GET', turnedKey)) or 0) > lifeMs then
  redis.call('UNLINK', old)
  if redis.call('EXISTS', young) == 1 then redis.call('RENAME', young, old) end
  -- Of a crawl that has ended nothing stays.
  redis.call('SET', turnedKey, now, 'PX', 4 * lifeMs)
end

local contents = {}
for i = 2, #ARGV, 2 do contents[#contents + 1] = ARGV[i] end
local inYoung, inOld = redis.call('HMGET', young, unpack(contents)), redis.call('HMGET', old, unpack(contents))

local answers, claimed, fields = {}, {}, {}
for i, content in ipairs(contents) do
  local url = ARGV[2 * i + 1]
  answers[i] = inYoung[i] or inOld[i] or claimed[content] or false
  if not answers[i] then
    claimed[content] = url
    fields[#fields + 1] = content
    fields[#fields + 1] = url
  end
end
if #fields > 0 then
  redis.call('HSET', young, unpack(fields))
  redis.call('PEXPIRE', young, 4 * lifeMs)
end
return answers
