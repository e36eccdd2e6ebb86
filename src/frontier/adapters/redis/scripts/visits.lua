-- What becomes of URLs that were visited, by how their visits have ended; and how they leave the queues of their host.

local function isPage(crawl, copy)
  crawl[PAGES] = crawl[PAGES] + 1
  crawl[COPIES] = crawl[COPIES] + copy
  -- Old times fade (see sinking.ts).
  if crawl[PAGES] >= 64 then crawl[PAGES], crawl[COPIES] = crawl[PAGES] / 2, crawl[COPIES] / 2 end
end

local function close(host, entry, counter, name)
  local crawl = host.crawl
  crawl[OPEN] = crawl[OPEN] - 1
  crawl[counter] = crawl[counter] + 1
  countOpen(entry, -1)
  count(name, 1)
end

local endings = {}

-- The number: 1 a copy, 0 none, -1 no page.
function endings.done(host, entry, number)
  if number >= 0 then isPage(host.crawl, number) end
  revisitEnds(host, entry)
  close(host, entry, DONE, 'done')
end

function endings.excluded(host, entry, _, reason)
  close(host, entry, EXCLUDED, 'excluded')
  remember(host, 'x', reason, entry)
end

function endings.dead(host, entry, _, reason)
  close(host, entry, DEAD, 'dead')
  remember(host, 'd', reason, entry)
end

function endings.retry(host, entry, afterMs, reason)
  local delayed = host.name .. '\t' .. reason .. '\t' .. withAttempts(entry, digitAt(entry, 2) + 1)
  write('ZADD', crawlBase .. 'delayed', now + afterMs, delayed)
  mayBeLeasedAt(now + afterMs)
end

-- Takes these URLs (`wanted`, by short form) out of the leased ones of a host. Answers the entries of those that were there.
local function takeOut(host, wanted, howMany)
  local crawl, taken, left = host.crawl, {}, howMany
  for list = RETURNED, LOW do
    local leased = left > 0 and crawl[LEASED + list] or 0
    local entries, last = {}, 0
    for at, entry in ipairs(entriesOf(host, list, 0, leased)) do
      local short = shortOf(entry)
      if wanted[short] then
        taken[short] = entry
        entries[#entries + 1] = entry
        last, left = at, left - 1
        if left == 0 then break end
      end
    end
    if #entries > 0 then
      -- Most often they are the head of the list.
      if last == #entries then
        write('LPOP', queueKey(host, list), #entries)
      else
        for _, entry in ipairs(entries) do write('LREM', queueKey(host, list), 1, entry) end
      end
      lengthen(host, list, -#entries)
      host.gone[list] = #entries
      crawl[LEASED + list] = crawl[LEASED + list] - #entries
      count('leased', -#entries)
    end
  end
  return taken
end
