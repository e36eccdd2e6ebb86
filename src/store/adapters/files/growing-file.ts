import { writevSync } from 'node:fs'
import { storageError } from '../../../embedded/storage-error.ts'

const BLOCK_BYTES = 256 * 1024
/** More are let go once they are on file. */
const KEPT_BLOCKS = 16
/** Bounds one system call; Linux refuses more than 1024 buffers at once. */
const MAX_BUFFERS = 512

/**
 * A file appended to: bytes wait in memory until `writeOut`, their offsets are final at once. They wait in blocks that are
 * used again, so that whoever appends has its own memory for itself.
 */
export class GrowingFile {
  readonly path: string
  readonly fd: number
  /** Those that wait are the first ones, and all but the last of them full. */
  private blocks: Buffer[] = []
  private onFile: number
  private end: number

  constructor(path: string, fd: number, bytes: number) {
    this.path = path
    this.fd = fd
    this.onFile = bytes
    this.end = bytes
  }

  /** With what still waits. */
  get bytes(): number {
    return this.end
  }

  get pendingBytes(): number {
    return this.end - this.onFile
  }

  append(bytes: Buffer): number {
    const offset = this.end
    for (let from = 0; from < bytes.length; ) {
      const at = this.pendingBytes % BLOCK_BYTES
      const copied = bytes.copy(this.blockAt(this.pendingBytes), at, from)
      from += copied
      this.end += copied
    }
    return offset
  }

  /** A full disk leaves some of the bytes behind; they lie beyond the committed length and are cut later. */
  writeOut(): void {
    const { pendingBytes, blocks } = this
    const waiting = blocks.slice(0, Math.ceil(pendingBytes / BLOCK_BYTES))
    const last = waiting.pop()
    if (!last) return
    waiting.push(last.subarray(0, pendingBytes - waiting.length * BLOCK_BYTES))
    for (let i = 0; i < waiting.length; i += MAX_BUFFERS) this.writeAll(waiting.slice(i, i + MAX_BUFFERS))
    blocks.length = Math.min(blocks.length, KEPT_BLOCKS)
  }

  private blockAt(pendingBytes: number): Buffer {
    const index = Math.floor(pendingBytes / BLOCK_BYTES)
    this.blocks[index] ??= Buffer.allocUnsafeSlow(BLOCK_BYTES)
    return this.blocks[index]
  }

  private writeAll(buffers: Buffer[]): void {
    let rest = buffers
    while (rest.length > 0) {
      const written = this.writeSome(rest)
      this.onFile += written
      rest = withoutFirst(rest, written)
    }
  }

  private writeSome(buffers: readonly Buffer[]): number {
    try {
      return writevSync(this.fd, buffers, this.onFile)
    } catch (error) {
      throw storageError(this.path, error)
    }
  }
}

function withoutFirst(buffers: readonly Buffer[], bytes: number): Buffer[] {
  let skip = bytes
  let first = 0
  while (first < buffers.length && skip >= buffers[first]!.length) skip -= buffers[first++]!.length
  const [head, ...tail] = buffers.slice(first)
  return head ? [head.subarray(skip), ...tail] : []
}
