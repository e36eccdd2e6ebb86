import { OPEN_COUNTS, TAG_FLAGS } from './layout'
import { CLOSES_P, HAS_RIVALS, SCOPE, SPECIAL, TABLE_PART, Tag, VOID } from './tables'

/** The twin of `open-elements.ts`. Room for a stack as deep as the document has tags is made before the pass. */
const MAX_LOOK = 256

let stack: usize = 0
let openDepth = 0

export function resetOpenElements(at: usize): void {
  stack = at
  openDepth = 0
  memory.fill(OPEN_COUNTS, 0, 1024)
}

@inline export function depth(): i32 {
  return openDepth
}

@inline function flagsOf(tag: i32): u32 {
  return load<u16>(TAG_FLAGS + tag * 2)
}

@inline function count(tag: i32): i32 {
  return load<i32>(OPEN_COUNTS + tag * 4)
}

export function refuses(tag: i32): bool {
  return isTablePart(tag) && count(Tag.table) == 0
}

export function startElement(tag: i32): i32 {
  const flags = flagsOf(tag)
  if ((flags & CLOSES_P) != 0 && count(Tag.p) > 0) closeInScope(Tag.p)
  if ((flags & HAS_RIVALS) != 0) closeRivals(tag)
  const before = openDepth
  if ((flags & VOID) == 0 && tag != Tag.html && tag != Tag.head && tag != Tag.body) {
    store<u8>(stack + openDepth++, tag)
    store<i32>(OPEN_COUNTS + tag * 4, count(tag) + 1)
  }
  return before
}

/** The flags of what was ended, never 0 then. */
export function endElement(tag: i32): u32 {
  if (count(tag) == 0 && !isHeading(tag)) return 0
  const stop = max(0, openDepth - MAX_LOOK)
  for (let i = openDepth - 1; i >= stop; i--) {
    const open = <i32>load<u8>(stack + i)
    if (open == tag || (isHeading(tag) && isHeading(open))) return popTo(i) | flagsOf(tag) | ENDED
    if (withstands(open, tag)) return 0
  }
  return 0
}

const ENDED: u32 = 0x8000

function withstands(open: i32, tag: i32): bool {
  if (isTablePart(tag) || tag == Tag.table) return open == Tag.table
  const flags = flagsOf(open)
  if ((flagsOf(tag) & SPECIAL) != 0 || tag == Tag.dialog) return (flags & SCOPE) != 0
  if (tag == Tag.svg && (open == Tag.title || open == Tag.desc)) return false
  return (flags & SPECIAL) != 0
}

@inline function isHeading(tag: i32): bool {
  return tag >= Tag.h1 && tag <= Tag.h6
}

function closeInScope(tag: i32): void {
  const stop = max(0, openDepth - MAX_LOOK)
  for (let i = openDepth - 1; i >= stop; i--) {
    const open = <i32>load<u8>(stack + i)
    if (open == tag) {
      popTo(i)
      return
    }
    if ((flagsOf(open) & SCOPE) != 0) return
  }
}

function closeRivals(tag: i32): void {
  if (!isAnyRivalOpen(tag)) return
  const stop = max(0, openDepth - MAX_LOOK)
  for (let i = openDepth - 1; i >= stop; i--) {
    const open = <i32>load<u8>(stack + i)
    if (isRival(tag, open)) {
      popTo(i)
      if (!isTablePart(tag)) return
    } else if (shields(open, tag)) return
  }
}

function popTo(to: i32): u32 {
  let flags: u32 = 0
  while (openDepth > to) {
    const tag = <i32>load<u8>(stack + --openDepth)
    store<i32>(OPEN_COUNTS + tag * 4, count(tag) - 1)
    flags |= flagsOf(tag)
  }
  return flags
}

@inline function isCell(tag: i32): bool {
  return tag == Tag.td || tag == Tag.th
}

@inline function isSection(tag: i32): bool {
  return tag == Tag.tbody || tag == Tag.thead || tag == Tag.tfoot
}

@inline function isTablePart(tag: i32): bool {
  return (flagsOf(tag) & TABLE_PART) != 0
}

/** Does the start of `tag` end `open`? */
function isRival(tag: i32, open: i32): bool {
  if (tag == Tag.dd || tag == Tag.dt) return open == Tag.dd || open == Tag.dt
  if (tag == Tag.optgroup) return open == Tag.option || open == Tag.optgroup
  if (isCell(tag)) return isCell(open)
  if (tag == Tag.tr) return isCell(open) || open == Tag.tr
  return isSection(tag) ? isTablePart(open) : open == tag
}

function isAnyRivalOpen(tag: i32): bool {
  if (tag == Tag.dd || tag == Tag.dt) return (count(Tag.dd) | count(Tag.dt)) > 0
  if (tag == Tag.optgroup) return (count(Tag.option) | count(Tag.optgroup)) > 0
  if (!isTablePart(tag)) return count(tag) > 0
  const cells = count(Tag.td) | count(Tag.th)
  if (isCell(tag)) return cells > 0
  const rows = cells | count(Tag.tr)
  return (tag == Tag.tr ? rows : rows | count(Tag.tbody) | count(Tag.thead) | count(Tag.tfoot)) > 0
}

function shields(open: i32, tag: i32): bool {
  if (isTablePart(tag)) return open == Tag.table || open == Tag.template
  if ((flagsOf(open) & SPECIAL) == 0) return false
  return tag == Tag.a || !(open == Tag.p || open == Tag.address || open == Tag.div)
}
