import { ROOM } from './layout'

/** Memory behind the tables, taken piece by piece, and given back all at once. */
let end: usize = ROOM

export function takeRoom(bytes: usize): usize {
  const at = end
  end = (at + bytes + 15) & ~15
  const missing = <i32>((end + 0xffff) >> 16) - memory.size()
  if (missing > 0 && memory.grow(missing) < 0) unreachable()
  return at
}

/** What was at `from` in a larger place. */
export function movedTo(from: usize, used: usize, bytes: usize): usize {
  const to = takeRoom(bytes)
  memory.copy(to, from, used)
  return to
}

export function giveBackRoom(): void {
  end = ROOM
}
