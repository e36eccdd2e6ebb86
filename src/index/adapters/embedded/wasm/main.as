import { clearReader } from './reader'
import { giveBackRoom } from './room'
import { clearTable } from './table'

export { beginLog, invertLog, nextPart } from './invert'
export { beginMerge, emptyPart, merge, partCame, roomForPart, setShift } from './merge'
export { begin, finish, read, readFolded } from './reader'

/** No words. Memory is used again. */
export function clear(seed: u32): void {
  giveBackRoom()
  clearTable(seed)
  clearReader()
}
