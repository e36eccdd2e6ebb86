import { readSync } from 'node:fs'
import { readMember } from './warc-gzip.ts'

export interface WarcMember {
  readonly offset: number
  readonly length: number
  /** Inflated; checksum and length have been compared. */
  readonly content: Buffer
}

const WINDOW_BYTES = 1024 * 1024
/** No record of ours comes near it: fetching stops earlier. It bounds what a forged file can make us hold. */
const MAX_RECORD_BYTES = 256 * 1024 * 1024

/**
 * The members of an open file between two offsets, one in memory at a time. Ends at the first that is torn or damaged:
 * whoever wants to know compares the end of the last member with `to`.
 */
export function* readMembers(fd: number, from: number, to: number): Generator<WarcMember, void> {
  let window: Buffer = Buffer.alloc(0)
  let offset = from
  let wantedBytes = WINDOW_BYTES
  while (offset < to) {
    const read = readMember(window, MAX_RECORD_BYTES)
    if (read.kind === 'damaged') return
    if (read.kind === 'incomplete') {
      const known = window.length
      if (known >= MAX_RECORD_BYTES) return
      window = widened(fd, window, offset, Math.min(wantedBytes, to - offset))
      if (window.length === known) return
      wantedBytes = window.length * 2
      continue
    }
    yield { offset, length: read.memberBytes, content: read.content }
    offset += read.memberBytes
    window = window.subarray(read.memberBytes)
    wantedBytes = Math.max(WINDOW_BYTES, window.length * 2)
  }
}

/** The window, read on to `bytes` as far as the file reaches. */
function widened(fd: number, window: Buffer, offset: number, bytes: number): Buffer {
  if (bytes <= window.length) return window
  const wider = Buffer.allocUnsafe(bytes)
  let filled = window.copy(wider)
  while (filled < bytes) {
    const read = readSync(fd, wider, filled, bytes - filled, offset + filled)
    if (read === 0) break
    filled += read
  }
  return wider.subarray(0, filled)
}
