import { type Gate, gate } from '../../gate.ts'
import { engineNews } from '../../monitor/events.ts'
import { backOffMs } from './back-off.ts'
import { type BulkAnswer, outcomeOf, type Refusal } from './bulk-answer.ts'
import type { OpenSearch } from './client.ts'
import { EngineAwayError, EngineRefusedError, reasonIn } from './faults.ts'
import type { Operation } from './operation.ts'

/**
 * Gathers writes and sends them many at once. Every operation must be one that may be sent twice, and whose order against
 * others is settled by its version or its script: bulks overtake each other, and only what failed is sent again.
 */
export interface Bulk {
  /** Takes a write. Resolves at once, or, when too much is waiting, as soon as some of it is safe. */
  add(operation: Operation): Promise<void>
  /**
   * Resolves when all that was added before is safe in the engine. Rejects when the engine was away for too long, then and
   * for ever; or once, with everything else safe, for writes that can never succeed and that nobody else was told of.
   */
  flush(): Promise<void>
}

export interface BulkOptions {
  /** The alias that is written to; never made by writing. */
  readonly alias: string
  /** Told of each write that can never succeed. Without it, `flush` rejects. */
  readonly onRefused?: (refusal: Refusal) => void
  /** Told when these writes are safe, or given up. */
  readonly onSettled?: (operations: readonly Operation[]) => void
}

/** Engines do best with some MiB at once; beyond that a bulk only takes longer to repeat. */
const BULK_BYTES = 5 * 2 ** 20
const BULK_OPERATIONS = 2000
const BULKS_AT_ONCE = 3
/** An engine that is busy for a moment is nobody's business. */
const worthTellingMs = 3000
const MAX_WAITING_BYTES = 32 * 2 ** 20

export class RefusedWritesError extends Error {
  readonly refusals: readonly Refusal[]

  constructor(refusals: readonly Refusal[]) {
    const [{ subject, reason } = { subject: '', reason: '' }] = refusals
    const more = refusals.length > 1 ? `, and ${refusals.length - 1} more` : ''
    super(`OpenSearch refuses to store ${subject}: ${reason}${more}.`)
    this.name = 'RefusedWritesError'
    this.refusals = refusals
  }
}

export function openBulk(engine: OpenSearch, options: BulkOptions): Bulk {
  return new BulkWriter(engine, options)
}

class BulkWriter implements Bulk {
  readonly #engine: OpenSearch
  readonly #options: BulkOptions
  readonly #lanes: Gate = gate(BULKS_AT_ONCE)
  readonly #underway = new Set<Promise<void>>()
  #gathered: Operation[] = []
  #gatheredBytes = 0
  #waitingBytes = 0
  #failure: unknown
  #refusals: Refusal[] = []
  #whyAgain = 'it rejects writes'

  constructor(engine: OpenSearch, options: BulkOptions) {
    this.#engine = engine
    this.#options = options
  }

  async add(operation: Operation): Promise<void> {
    this.#throwFailure()
    if (this.#gatheredBytes + operation.bytes.length > BULK_BYTES) this.#dispatch()
    this.#gathered.push(operation)
    this.#gatheredBytes += operation.bytes.length
    this.#waitingBytes += operation.bytes.length
    if (this.#gathered.length >= BULK_OPERATIONS) this.#dispatch()
    while (this.#waitingBytes > MAX_WAITING_BYTES && this.#underway.size > 0) {
      await Promise.race(this.#underway)
      this.#throwFailure()
    }
  }

  async flush(): Promise<void> {
    this.#dispatch()
    await Promise.all(this.#underway)
    this.#throwFailure()
    if (this.#refusals.length > 0) throw new RefusedWritesError(this.#refusals.splice(0))
  }

  #throwFailure(): void {
    if (this.#failure !== undefined) throw this.#failure
  }

  #dispatch(): void {
    if (this.#gathered.length === 0) return
    const operations = this.#gathered
    const bytes = this.#gatheredBytes
    this.#gathered = []
    this.#gatheredBytes = 0
    const sent = this.#lanes
      .through(() => this.#deliver(operations))
      .catch((error) => {
        this.#failure ??= error
      })
      .finally(() => {
        this.#waitingBytes -= bytes
        this.#underway.delete(sent)
      })
    this.#underway.add(sent)
  }

  /** Sends until none is left to send. */
  async #deliver(operations: readonly Operation[]): Promise<void> {
    const { clock, config, place } = this.#engine
    let left = operations
    let since = clock.now()
    let isTold = false
    for (let failures = 1; left.length > 0; failures++) {
      this.#throwFailure()
      const again = new Set(await this.#send(left))
      if (again.size < left.length) {
        if (isTold) engineNews.tell({ engine: 'opensearch', isAway: false, reason: '' })
        isTold = false
        failures = 0
        since = clock.now()
      }
      this.#options.onSettled?.(left.filter((operation) => !again.has(operation)))
      left = [...again]
      if (left.length === 0) return
      const waitedMs = clock.now() - since
      if (waitedMs >= config.patienceMs) throw new EngineAwayError(place, waitedMs, this.#whyAgain)
      if (waitedMs >= worthTellingMs) {
        engineNews.tell({ engine: 'opensearch', isAway: true, reason: this.#whyAgain })
        isTold = true
      }
      await clock.sleep(backOffMs(failures))
    }
  }

  /** Answers what must be sent again. */
  async #send(operations: readonly Operation[]): Promise<readonly Operation[]> {
    const { status, body } = await this.#engine.ask<BulkAnswer>({
      method: 'POST',
      path: `/${this.#options.alias}/_bulk?require_alias=true&filter_path=errors,items.*.status,items.*.error`,
      body: Buffer.concat(operations.map(({ bytes }) => bytes)),
    })
    if (status === 400 || status === 413) return this.#sendLess(operations, status, body)
    if (status >= 300) throw new EngineRefusedError('write', status, body)
    const { again, refused, whyAgain } = outcomeOf(operations, body)
    if (whyAgain !== undefined) this.#whyAgain = `it rejects writes: ${whyAgain}`
    for (const refusal of refused) this.#refuse(refusal)
    return again
  }

  /** Too large at once, or one of them spoils the whole: in halves it shows which. */
  async #sendLess(operations: readonly Operation[], status: number, body: unknown): Promise<readonly Operation[]> {
    if (operations.length === 1) {
      const reason = status === 413 ? 'larger than the engine accepts' : (reasonIn(body) ?? `status ${status}`)
      this.#refuse({ subject: operations[0]!.subject, reason })
      return []
    }
    const half = operations.length >> 1
    return [...(await this.#send(operations.slice(0, half))), ...(await this.#send(operations.slice(half)))]
  }

  #refuse(refusal: Refusal): void {
    if (this.#options.onRefused) this.#options.onRefused(refusal)
    else this.#refusals.push(refusal)
  }
}
