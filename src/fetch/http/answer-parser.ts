import { type AnswerHead, readAnswerHead } from './answer-head.ts'

export interface AnswerParts {
  head(head: AnswerHead): void
  /** The memory is the caller's. */
  piece(bytes: Buffer): void
  /** The answer is complete; `isClean`: and nothing follows it. */
  end(isClean: boolean): void
}

/** A server that says more often that we may go on has nothing else to say. */
const maxContinues = 10
const maxChunkLineBytes = 4096
const nothing = Buffer.alloc(0)
const LF = 0x0a
const CR = 0x0d

type Place = 'head' | 'fixed' | 'until-close' | 'chunk-size' | 'chunk' | 'chunk-end' | 'trailers' | 'over'

/**
 * Takes one HTTP/1 answer apart, whatever pieces it comes in. Never throws, keeps no more than a head or a line, and hands
 * on pieces of the body as they come. One parser serves all answers of a connection, one after the other.
 */
export class AnswerParser {
  readonly #maxHeadBytes: number
  readonly #parts: AnswerParts
  #place: Place = 'over'
  /** The beginning of a head or line that is not complete. */
  #kept = nothing
  #continues = 0
  /** Of the body or chunk. */
  #leftBytes = 0
  #trailerBytes = 0

  constructor(maxHeadBytes: number, parts: AnswerParts) {
    this.#maxHeadBytes = maxHeadBytes
    this.#parts = parts
  }

  /** A request has gone out: an answer is to come. */
  begin(): void {
    this.#place = 'head'
    this.#kept = nothing
    this.#continues = 0
  }

  /** Nothing more of it is wanted. */
  stop(): void {
    this.#place = 'over'
    this.#kept = nothing
  }

  /** A string says what is wrong: then the connection is of no more use. */
  take(bytes: Buffer): string | undefined {
    let rest = bytes
    while (rest.length > 0) {
      const next = this.#step(rest)
      if (typeof next === 'string') return next
      rest = next
    }
    return undefined
  }

  /** The server sends no more. Whether the answer is complete, which is then said to the parts. */
  close(): boolean {
    if (this.#place !== 'until-close') return false
    this.#end(true)
    return true
  }

  /** What is left to read, or what is wrong. */
  #step(bytes: Buffer): Buffer | string {
    switch (this.#place) {
      case 'head':
        return this.#head(bytes)
      case 'fixed':
      case 'chunk':
        return this.#body(bytes)
      case 'until-close':
        this.#parts.piece(bytes)
        return nothing
      case 'chunk-size':
      case 'chunk-end':
      case 'trailers':
        return this.#line(bytes)
      case 'over':
        return 'bytes that belong to no answer'
      default:
        return this.#place satisfies never
    }
  }

  #head(bytes: Buffer): Buffer | string {
    const seen = this.#kept.length
    const all = seen > 0 ? Buffer.concat([this.#kept, bytes]) : bytes
    let from = 0
    // Some servers send one line end too many after the answer before.
    while (from < all.length && from < 8 && (all[from] === CR || all[from] === LF)) from++
    const end = endOfHead(all, Math.max(from, seen - 3))
    if ((end?.at ?? all.length) > this.#maxHeadBytes) return `a head of more than ${this.#maxHeadBytes} bytes`
    if (!end) return cannotBeHead(all, from) ? 'no status line of HTTP/1' : this.#keep(all)
    this.#kept = nothing
    const head = readAnswerHead(all.toString('latin1', from, end.at))
    if (typeof head === 'string') return head
    const rest = all.subarray(end.next)
    return head.status < 200 ? this.#interim(head, rest) : this.#answer(head, rest)
  }

  #interim(head: AnswerHead, rest: Buffer): Buffer | string {
    if (head.isUpgrade) return 'a change of protocol that nobody asked for'
    if (head.status === 100 && ++this.#continues > maxContinues) return '100 Continue without end'
    return rest
  }

  #answer(head: AnswerHead, rest: Buffer): Buffer {
    const { body } = head
    this.#place = body === 'chunked' ? 'chunk-size' : body === 'until-close' ? 'until-close' : 'fixed'
    this.#leftBytes = typeof body === 'number' ? body : 0
    this.#trailerBytes = 0
    this.#parts.head(head)
    return this.#place === 'fixed' && body === 0 ? this.#end(rest.length === 0) : rest
  }

  #body(bytes: Buffer): Buffer {
    const piece = bytes.length > this.#leftBytes ? bytes.subarray(0, this.#leftBytes) : bytes
    this.#leftBytes -= piece.length
    const isFixed = this.#place === 'fixed'
    if (this.#leftBytes === 0 && !isFixed) this.#place = 'chunk-end'
    this.#parts.piece(piece)
    const rest = piece === bytes ? nothing : bytes.subarray(piece.length)
    return this.#leftBytes === 0 && isFixed && this.#place === 'fixed' ? this.#end(rest.length === 0) : rest
  }

  #line(bytes: Buffer): Buffer | string {
    const all = this.#kept.length > 0 ? Buffer.concat([this.#kept, bytes]) : bytes
    const end = all.indexOf(LF)
    const maxBytes = this.#place === 'trailers' ? this.#maxHeadBytes - this.#trailerBytes : maxChunkLineBytes
    if ((end < 0 ? all.length : end) > maxBytes) return 'a line without end between chunks'
    if (end < 0) return this.#keep(all)
    this.#kept = nothing
    const line = all.toString('latin1', 0, end > 0 && all[end - 1] === CR ? end - 1 : end)
    return this.#readLine(line, all.subarray(end + 1))
  }

  #readLine(line: string, rest: Buffer): Buffer | string {
    switch (this.#place) {
      case 'chunk-end':
        this.#place = 'chunk-size'
        return line === '' ? rest : 'a chunk longer than it says'
      case 'chunk-size': {
        const size = /^([\da-f]{1,12})[ \t]*(?:;.*)?$/i.exec(line)
        if (!size) return 'a chunk without a size'
        this.#leftBytes = Number.parseInt(size[1]!, 16)
        this.#place = this.#leftBytes === 0 ? 'trailers' : 'chunk'
        return rest
      }
      default:
        this.#trailerBytes += line.length
        return line === '' ? this.#end(rest.length === 0) : rest
    }
  }

  #keep(bytes: Buffer): Buffer {
    // Not the socket's own memory, which is used again.
    this.#kept = Buffer.from(bytes)
    return nothing
  }

  /** What follows an answer is not looked at. */
  #end(isClean: boolean): Buffer {
    this.stop()
    this.#parts.end(isClean)
    return nothing
  }
}

/** Where a head ends, and what follows it begins. */
function endOfHead(bytes: Buffer, from: number): { readonly at: number; readonly next: number } | undefined {
  for (let at = bytes.indexOf(LF, from); at >= 0; at = bytes.indexOf(LF, at + 1)) {
    if (bytes[at + 1] === LF) return { at, next: at + 2 }
    if (bytes[at + 1] === CR && bytes[at + 2] === LF) return { at, next: at + 3 }
  }
  return undefined
}

const START = Buffer.from('HTTP/1.')

/** Told at once, since a server that speaks another protocol may wait for ever. */
function cannotBeHead(bytes: Buffer, from: number): boolean {
  const known = Math.min(START.length, bytes.length - from)
  return START.compare(bytes, from, from + known, 0, known) !== 0
}
