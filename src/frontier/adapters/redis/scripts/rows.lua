-- A host as those who read the ledger see it: name, then leased ones by list (returned, high, medium, low), open, done,
-- excluded, dead, 1 if it has an entry in a front list, 1 if it is sunk, gapMs (as text), nextTouchAt, what it is held for.
local function rowOf(host)
  local crawl, fleet = host.crawl, fleetOf(host)
  local row = { host.name, unpack(crawl, LEASED, DEAD) }
  appendAll(row, { crawl[FRONT], isSunk(host) and 1 or 0, tostring(fleet[GAP_MS]), fleet[NEXT_TOUCH_AT], fleet[HOLD] })
  return row
end
