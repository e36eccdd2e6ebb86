-- Reads the crawl's records of hosts by name. ARGV 2… names. Answers a row for each that the crawl knows.
local answer = {}
for i = FIRST_ARGUMENT, #ARGV do
  local host = hostOf(ARGV[i])
  if host then answer[#answer + 1] = rowOf(host) end
end
return answer
