import type { Lull } from './lull.ts'
import type { Slots } from './slots.ts'

export interface RoomParts {
  readonly slots: Pick<Slots, 'giveBack'>
  /** Resolves when there is room for further pages that wait to be made safe. Left out: there always is. */
  readonly room?: () => Promise<void> | undefined
  readonly lull?: Pick<Lull, 'look'>
}

/** A visit that has kept its page has its slot until there is room for more: so what is slow to keep is asked for slowly. */
export function giveBackSlot({ slots, room, lull }: RoomParts, answered: boolean | undefined): void {
  const giveBack = () => slots.giveBack(answered)
  const later = room?.()
  if (later) void later.then(giveBack).then(() => lull?.look())
  else giveBack()
}
