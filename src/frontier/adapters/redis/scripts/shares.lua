-- Which band is next, by weight and counted in URLs: as `Shares` in bands.ts says, over the ready sets of this shard.
-- The set of sunk hosts has a hundredth of the bands' weights together.

local weights

local function useWeights(high, medium, low)
  weights = { high, medium, low, (high + medium + low) * 0.01 }
end

local served, absent

anew(function() served, absent = nil, nil end)

local function sharesKey()
  return crawlBase .. 'shares'
end

local function readShares()
  if served then return end
  local packed = look('GET', sharesKey())
  if packed then
    served, absent = unpack(cmsgpack.unpack(packed))
  else
    served, absent = { 0, 0, 0, 0 }, { true, true, true, true }
  end
end

local function writeShares()
  write('SET', sharesKey(), cmsgpack.pack({ served, absent }))
end

local function progress(of)
  return served[of] / weights[of]
end

local function furthestBehind(isThere)
  local best
  for of = 1, 4 do
    if isThere(of) and (not best or progress(of) < progress(best)) then best = of end
  end
  return best
end

-- What had nothing to offer meanwhile starts level with the others, and does not catch up.
local function nextShare(isThere)
  local level
  for of = 1, 4 do
    if isThere(of) and not absent[of] and (not level or progress(of) < level) then level = progress(of) end
  end
  for of = 1, 4 do
    if isThere(of) and absent[of] and level then served[of] = math.max(served[of], level * weights[of]) end
    absent[of] = not isThere(of)
  end
  return furthestBehind(isThere)
end

-- Up to `howMany` URLs of a host: returned ones first, whose band was served when they were first taken, then always of
-- the band that is furthest behind. They stay in their lists; the record says how many are leased.
local function take(host, howMany)
  local crawl, from, order = host.crawl, {}, {}
  for list = RETURNED, LOW do from[list] = crawl[LEASED + list] end
  local function isWaiting(list) return list <= LOW and waitingIn(host, list) > 0 end
  while #order < howMany do
    local list = isWaiting(RETURNED) and RETURNED or furthestBehind(isWaiting)
    if not list then break end
    if list ~= RETURNED then
      local share = isSunk(host) and SUNK or list
      served[share] = served[share] + 1
    end
    crawl[LEASED + list] = crawl[LEASED + list] + 1
    order[#order + 1] = list
  end
  count('leased', #order)
  crawlChanged(host)

  local entries, taken, at = {}, {}, {}
  for list = RETURNED, LOW do
    entries[list], at[list] = entriesOf(host, list, from[list], crawl[LEASED + list] - from[list]), 0
  end
  for i, list in ipairs(order) do
    at[list] = at[list] + 1
    taken[i] = entries[list][at[list]]
  end
  return taken
end
