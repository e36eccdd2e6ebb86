import { writevSync } from 'node:fs'
import { storageError } from '../../../embedded/storage-error.ts'

/** Bounds one system call; Linux refuses more than 1024 buffers at once. */
const MAX_BUFFERS = 512

/** A file appended to: bytes wait in memory until `writeOut`, their offsets are final at once. */
export class GrowingFile {
  readonly path: string
  readonly fd: number
  private pending: Buffer[] = []
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
    this.pending.push(bytes)
    this.end += bytes.length
    return offset
  }

  /** A full disk leaves some of the bytes behind; they lie beyond the committed length and are cut later. */
  writeOut(): void {
    const waiting = this.pending
    this.pending = []
    for (let i = 0; i < waiting.length; i += MAX_BUFFERS) this.writeAll(waiting.slice(i, i + MAX_BUFFERS))
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
