import type { Database } from '../../../embedded/database.ts'
import { blocksOf, type Member, membersOf, withMembers } from './bucket.ts'

/**
 * All buckets. Blocks are random, so that writing an original into its four buckets at once would dirty four pages of the
 * database each time. Instead its row is what makes it durable, new members wait in memory, and each commit writes those
 * of the next slice of the blocks, in order: many of them then share a page. After a crash the rows beyond what a slice
 * has written are read again.
 */
export interface Buckets {
  members(block: number): Iterable<Member>
  /** Adds an original, whose row has been written, to its four buckets. */
  add(member: Member): void
}

const SLICES = 32
const BLOCKS_IN_A_SLICE = 0x40000 / SLICES
/** Bounds memory, also for a commit that brings very many originals. */
const MAX_WAITING = 20_000

export function lazyBuckets(database: Database): Buckets {
  const read = database.prepare('SELECT members FROM near_bucket WHERE block = ?')
  const write = database.prepare('INSERT OR REPLACE INTO near_bucket VALUES (?, ?)')
  const complete = database.prepare('INSERT OR REPLACE INTO near_slice VALUES (?, ?)')
  const waiting = Array.from({ length: SLICES }, () => new Map<number, Member[]>())
  let waitingCount = 0
  let lastRow = 0
  let nextSlice = 0

  function wait(block: number, member: Member): void {
    const slice = waiting[sliceOf(block)]!
    const members = slice.get(block)
    if (members) members.push(member)
    else slice.set(block, [member])
    waitingCount++
  }

  function writeSlice(): void {
    const slice = waiting[nextSlice]!
    for (const [block, members] of [...slice].sort(([a], [b]) => a - b)) {
      write.run(block, withMembers(onDisk(block), members))
      waitingCount -= members.length
    }
    slice.clear()
    complete.run(nextSlice, lastRow)
    nextSlice = (nextSlice + 1) % SLICES
  }

  function onDisk(block: number): Uint8Array | undefined {
    return read.get(block)?.members as Uint8Array | undefined
  }

  function readAgain(): void {
    const completeTo = new Array<number>(SLICES).fill(0)
    for (const row of database.prepare('SELECT slice, complete_to AS row FROM near_slice').all())
      completeTo[row.slice as number] = row.row as number
    const rows = database.prepare('SELECT id AS row, high, low FROM near_original WHERE id > ? ORDER BY id')
    for (const member of rows.iterate(Math.min(...completeTo)) as Iterable<unknown> as Iterable<Member>) {
      for (const block of blocksOf(member)) if (member.row > completeTo[sliceOf(block)]!) wait(block, member)
      lastRow = member.row
    }
  }

  readAgain()
  let written = lastRow
  database.beforeCommit(() => {
    if (lastRow === written) return
    written = lastRow
    do writeSlice()
    while (waitingCount > MAX_WAITING)
  })

  return {
    *members(block) {
      const bucket = onDisk(block)
      if (bucket) yield* membersOf(bucket)
      yield* waiting[sliceOf(block)]!.get(block) ?? []
    },
    add(member) {
      for (const block of blocksOf(member)) wait(block, member)
      lastRow = member.row
    },
  }
}

function sliceOf(block: number): number {
  return Math.floor(block / BLOCKS_IN_A_SLICE)
}
