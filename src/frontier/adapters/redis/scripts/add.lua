-- Adds to the crawl's sums. ARGV 4 what, as JSON.
for name, by in pairs(cjson.decode(ARGV[4])) do
  write(by % 1 == 0 and 'HINCRBY' or 'HINCRBYFLOAT', crawlBase .. 'sums', name, by)
end
commit()
