import type { Clock } from '../../clock.ts'
import type { Gate } from '../../gate.ts'
import type { FetchConfig } from '../config.ts'
import type { FetchOptions } from '../fetcher.ts'
import { type HeldBytes, heldBytesOf } from '../held-bytes.ts'
import type { FailureCode, FetchOutcome } from '../outcome.ts'
import { outcomeOf, type Request, type Unread, unreadExchange } from './answer.ts'
import type { Connections } from './connections.ts'
import type { Deadlines } from './deadlines.ts'
import { failureOf } from './failure-codes.ts'
import { type Received, Reception, type ReceptionEnd } from './reception.ts'

/** What all fetches of a fetcher share. */
export interface FetchParts {
  readonly config: FetchConfig
  readonly clock: Clock
  readonly held: HeldBytes
  readonly connections: Connections
  readonly deadlines: Deadlines<Reception>
  /** Large and broken bodies pass through it. */
  readonly lane: Gate
}

/** One request on its connection, until its outcome is known. */
export class OneFetch implements ReceptionEnd {
  readonly #parts: FetchParts
  readonly #request: Request
  readonly #options: FetchOptions | undefined
  readonly #startedAt: number
  readonly #resolve: (outcome: FetchOutcome | Promise<FetchOutcome>) => void
  readonly #reception: Reception

  constructor(
    parts: FetchParts,
    request: Request,
    options: FetchOptions | undefined,
    startedAt: number,
    resolve: (outcome: FetchOutcome | Promise<FetchOutcome>) => void,
  ) {
    const { config, clock, held } = parts
    this.#parts = parts
    this.#request = request
    this.#options = options
    this.#startedAt = startedAt
    this.#resolve = resolve
    this.#reception = new Reception(config, request.connection, options, startedAt, clock.now, held, this)
  }

  send(path: string): void {
    const { connection, headers } = this.#request
    this.#parts.deadlines.add(this.#reception)
    try {
      connection.send({ path, headers }, this.#reception)
    } catch (error) {
      const { code, detail } = failureOf(error, 'head')
      this.#reception.fail(code, detail)
    }
  }

  received(received: Received): void {
    const durationMs = this.#parts.clock.now() - received.startedAt - received.pausedMs
    const exchange = unreadExchange(received, this.#request, durationMs)
    this.#release()
    // After all that this turn receives: decoding a page, which its reading follows, drives from the processor's caches
    // what receiving the next one needs.
    setImmediate(() => this.#decode(exchange, received.maxBytes))
  }

  failed(code: FailureCode, detail: string): void {
    const { connections, clock } = this.#parts
    // Whether the connection still works is not worth finding out.
    if (code.endsWith('timeout')) connections.retire(this.#request.connection)
    this.#release()
    this.#resolve({ kind: 'failed', code, detail, durationMs: clock.now() - this.#startedAt })
  }

  #release(): void {
    this.#parts.deadlines.delete(this.#reception)
    this.#parts.connections.giveBack(this.#request.connection)
  }

  #decode(exchange: Unread, maxBytes: number): void {
    const { config, lane } = this.#parts
    const { length } = exchange.rawBody
    const givesBodyBack = this.#options?.givesBodyBack === true
    const outcome = outcomeOf(exchange, { maxInflation: config.maxInflation, lane, maxBytes, givesBodyBack })
    this.#resolve(
      outcome instanceof Promise ? outcome.then((it) => this.#decoded(it, length)) : this.#decoded(outcome, length),
    )
  }

  /** Decoded, an answer takes more; given up, nothing. */
  #decoded(outcome: FetchOutcome, rawBytes: number): FetchOutcome {
    const { held } = this.#parts
    if (outcome.kind === 'failed') held.release(rawBytes)
    else held.resize(rawBytes, heldBytesOf(outcome.exchange))
    return outcome
  }
}
