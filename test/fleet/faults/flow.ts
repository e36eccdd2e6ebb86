import type { Socket } from 'node:net'

/** A piece on its way; `null` is the end of all pieces. */
interface Piece {
  readonly bytes: Buffer | null
  readonly dueAt: number
}

const MAX_WAITING_BYTES = 1024 * 1024

/** One way of a connection: takes from one socket, gives to the other, in order, as late as it is told to. */
export class Flow {
  delayMs = 0
  readonly #from: Socket
  readonly #to: Socket
  #waiting: Piece[] = []
  #waitingBytes = 0
  #isHeld = false
  #timer: NodeJS.Timeout | undefined

  /** `isLost` is asked for each piece as it comes. */
  constructor(from: Socket, to: Socket, isLost: (bytes: Buffer) => boolean = () => false) {
    this.#from = from
    this.#to = to
    from.on('data', (bytes: Buffer) => {
      if (!isLost(bytes)) this.#take(bytes)
    })
    from.on('end', () => this.#take(null))
    to.on('drain', () => this.#give())
  }

  hold(isHeld: boolean): void {
    this.#isHeld = isHeld
    this.#give()
  }

  stop(): void {
    clearTimeout(this.#timer)
    this.#waiting = []
  }

  #take(bytes: Buffer | null): void {
    // A delay that was shortened must not let what comes now overtake what came before.
    const earliest = this.#waiting.at(-1)?.dueAt ?? 0
    this.#waiting.push({ bytes, dueAt: Math.max(earliest, performance.now() + this.delayMs) })
    this.#waitingBytes += bytes?.length ?? 0
    this.#give()
  }

  #give(): void {
    clearTimeout(this.#timer)
    while (!this.#isHeld && !this.#to.writableNeedDrain && !this.#to.destroyed) {
      const next = this.#waiting[0]
      if (!next) break
      const leftMs = next.dueAt - performance.now()
      if (leftMs > 0) {
        this.#timer = setTimeout(() => this.#give(), Math.ceil(leftMs))
        break
      }
      this.#waiting.shift()
      this.#waitingBytes -= next.bytes?.length ?? 0
      if (next.bytes) this.#to.write(next.bytes)
      else this.#to.end()
    }
    if (this.#waitingBytes > MAX_WAITING_BYTES) this.#from.pause()
    else if (this.#from.isPaused()) this.#from.resume()
  }
}
