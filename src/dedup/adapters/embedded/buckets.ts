import type { Database } from '../../../embedded/database.ts'
import {
  BLOCKS,
  blocksOf,
  differingBits,
  type Halves,
  MAX_MEMBERS,
  type Member,
  nearIn,
  withMembers,
} from './bucket.ts'
import { WaitingMembers } from './waiting-members.ts'

/**
 * All buckets. Blocks are random, so that writing an original into its four buckets at once would dirty four pages of the
 * database each time. Instead its row is what makes it durable, and new members wait in memory until there are many; then
 * each commit writes those of the next slice of the blocks, in order: many of them then share a page. After a crash the
 * rows beyond what a slice has written are read again.
 */
export interface Buckets {
  /** Rows of originals that share a block with the fingerprint and differ in so few bits; earliest first. */
  near(halves: Halves, maxBits: number): number[]
  /** Adds an original, whose row has been written, to its four buckets. */
  add(member: Member): void
}

const SLICES = 32
const BLOCKS_IN_A_SLICE = BLOCKS / SLICES
/** Beyond so many originals nearly every bucket is there, and it is not worth finding out which is not. */
const CROWDED = 200_000

export function lazyBuckets(database: Database, maxWaiting: number): Buckets {
  const read = database.prepare('SELECT members FROM near_bucket WHERE block = ?')
  const write = database.prepare('INSERT OR REPLACE INTO near_bucket VALUES (?, ?)')
  const complete = database.prepare('INSERT OR REPLACE INTO near_slice VALUES (?, ?)')
  const waiting = new WaitingMembers()
  /** 1 where the block may have a bucket on disk. */
  const mayBeOnDisk = new Uint8Array(BLOCKS)
  let lastRow = 0
  let nextSlice = 0

  function writeSlice(): void {
    const from = nextSlice * BLOCKS_IN_A_SLICE
    for (let block = from; block < from + BLOCKS_IN_A_SLICE; block++) {
      const members = waiting.take(block)
      if (members.length === 0) continue
      write.run(block, withMembers(onDisk(block), members))
      mayBeOnDisk[block] = 1
    }
    complete.run(nextSlice, lastRow)
    nextSlice = (nextSlice + 1) % SLICES
  }

  function onDisk(block: number): Uint8Array | undefined {
    return mayBeOnDisk[block] === 0 ? undefined : (read.get(block)?.members as Uint8Array | undefined)
  }

  function findOnDisk(writtenTo: number): void {
    if (writtenTo > CROWDED) mayBeOnDisk.fill(1)
    else for (const { block } of database.prepare('SELECT block FROM near_bucket').all()) mayBeOnDisk[Number(block)] = 1
  }

  function readAgain(): void {
    const completeTo = new Array<number>(SLICES).fill(0)
    for (const row of database.prepare('SELECT slice, complete_to AS row FROM near_slice').all())
      completeTo[row.slice as number] = row.row as number
    findOnDisk(Math.max(...completeTo))
    // The slice that was written longest ago is the next.
    nextSlice = completeTo.indexOf(Math.min(...completeTo))
    const rows = database.prepare('SELECT id AS row, high, low FROM near_original WHERE id > ? ORDER BY id')
    for (const member of rows.iterate(completeTo[nextSlice]!) as Iterable<unknown> as Iterable<Member>) {
      for (const block of blocksOf(member)) if (member.row > completeTo[sliceOf(block)]!) waiting.add(block, member)
      lastRow = member.row
    }
  }

  readAgain()
  database.beforeCommit(() => {
    while (waiting.count > maxWaiting) writeSlice()
  })

  return {
    near(halves, maxBits) {
      const rows: number[] = []
      const isNear = (high: number, low: number) => differingBits(halves, high, low) <= maxBits
      for (const block of blocksOf(halves)) {
        const bucket = onDisk(block)
        if (bucket) nearIn(bucket, isNear, rows)
        waiting.addNear(block, isNear, MAX_MEMBERS, rows)
      }
      return rows.length < 2 ? rows : [...new Set(rows)].sort((a, b) => a - b)
    },
    add(member) {
      for (const block of blocksOf(member)) waiting.add(block, member)
      lastRow = member.row
    },
  }
}

function sliceOf(block: number): number {
  return Math.floor(block / BLOCKS_IN_A_SLICE)
}
