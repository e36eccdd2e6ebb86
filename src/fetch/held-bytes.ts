import type { Exchange } from './outcome.ts'

/** An answer that is being received, and that can be told to wait: its connection is then not read. */
export interface Receiver {
  pause(): void
  resume(): void
}

/** What has come of an answer. */
interface Part {
  bytes: number
  isWaiting: boolean
}

/** What may come in one piece, before a receiver that was told to wait does. */
const pieceBytes = 64 * 1024

/**
 * The account of bytes that were received and are not yet stored. Over its limit answers wait on their connections, so
 * that senders slow down; the memory of a crawl is bounded although its storage may be slow. What is under way keeps at
 * most one piece in reserve, so the limit holds to within one body: when nothing is left that storing could release, the
 * oldest answer goes on alone, and so something always does.
 */
export class HeldBytes {
  readonly #maxBytes: number
  /** In the order in which they began. */
  readonly #receiving = new Map<Receiver, Part>()
  #running = 0
  /** Answers that are complete, and not yet released. */
  #complete = 0
  #bytes = 0
  #isWaking = false

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes
  }

  get bytes(): number {
    return this.#bytes
  }

  /** An answer begins to come. */
  begin(receiver: Receiver): void {
    const part = { bytes: 0, isWaiting: false }
    this.#receiving.set(receiver, part)
    this.#running++
    this.#holdBack(receiver, part)
  }

  /** A piece of it has come. */
  add(receiver: Receiver, bytes: number): void {
    const part = this.#receiving.get(receiver)
    if (!part) return
    part.bytes += bytes
    this.#bytes += bytes
    this.#holdBack(receiver, part)
  }

  /** It has come as a whole, and is held from now on as so many bytes, until they are released. */
  complete(receiver: Receiver, bytes: number): void {
    this.drop(receiver)
    this.#complete++
    this.#bytes += bytes
  }

  /** It failed, and is not held any longer. */
  drop(receiver: Receiver): void {
    const part = this.#receiving.get(receiver)
    if (!part) return
    this.#receiving.delete(receiver)
    if (!part.isWaiting) this.#running--
    this.#bytes -= part.bytes
    this.#wake()
  }

  /** Decoding, or giving up, has changed what a complete answer takes. */
  resize(fromBytes: number, toBytes: number): void {
    this.#bytes += toBytes - fromBytes
  }

  /** To be called once for each answer that was handed out, with its `heldBytesOf`, when its visit is settled. */
  release(bytes: number): void {
    this.#complete--
    this.#bytes -= bytes
    this.#wake()
  }

  #holdBack(receiver: Receiver, part: Part): void {
    if (part.isWaiting || this.#mayGoOn(receiver, this.#running)) return
    part.isWaiting = true
    this.#running--
    receiver.pause()
  }

  /** `running`: those under way, it included. */
  #mayGoOn(receiver: Receiver, running: number): boolean {
    if (this.#bytes + running * pieceBytes <= this.#maxBytes) return true
    return this.#complete === 0 && receiver === this.#receiving.keys().next().value
  }

  /** Later, since an HTTP parser that is at work must not be called to work on another connection. */
  #wake(): void {
    if (this.#isWaking || this.#running === this.#receiving.size) return
    this.#isWaking = true
    setImmediate(() => {
      this.#isWaking = false
      this.#resumeWaiting()
    })
  }

  #resumeWaiting(): void {
    for (const [receiver, part] of this.#receiving) {
      if (!part.isWaiting) continue
      if (!this.#mayGoOn(receiver, this.#running + 1)) return
      part.isWaiting = false
      this.#running++
      receiver.resume()
    }
  }
}

/** What an answer takes in memory: as received, and decoded where that differs. */
export function heldBytesOf({ rawBody, body }: Pick<Exchange, 'rawBody' | 'body'>): number {
  return rawBody.length + (body === rawBody ? 0 : body.length)
}
