-- Adds to the crawl's sums. ARGV 4 what, as JSON.
local adds = cjson.decode(ARGV[4])
for name in pairs(adds) do willAdd(name) end
for name, by in pairs(adds) do count(sumOf(name), by) end
commit()
