import { extname } from 'node:path'
import { Worker } from 'node:worker_threads'
import { UsageError } from '../../config/usage-error.ts'
import type { FetchOutcome } from '../../fetch/outcome.ts'
import type { FetchFailed, Reading } from '../reading.ts'
import { arrivedOutcome, arrivedReading } from './crossing.ts'
import type { Order, Report } from './messages.ts'
import { Outbox } from './outbox.ts'

/** Something asked of a thread, which it has not answered yet. */
interface Open {
  readonly onSent: (() => void) | undefined
  readonly askedAt: number
  readonly resolve: (answer: Reading | FetchOutcome) => void
}

type Asked = Extract<Order, { id: number }>
/** `Omit` for each form of a union by itself. */
type WithoutId<Value> = Value extends unknown ? Omit<Value, 'id'> : never

const threadModule = new URL(`./thread${extname(import.meta.url)}`, import.meta.url)
/** A thread that does not close in order by then is ended. */
const closingMs = 3000

/** A thread takes over the flags of its process, and would not start with the one that says what kind of text `-e` is. */
const flags = process.execArgv.some((flag) => flag.startsWith('--input-type')) ? { execArgv: [] } : {}

/** One worker thread as seen by the thread that stores. Whatever happens to it, every question gets its answer. */
export class ReadingThread {
  readonly #worker: Worker
  readonly #outbox: Outbox<Order>
  readonly #exited = Promise.withResolvers<void>()
  readonly #open = new Map<number, Open>()
  #nextId = 0
  #isClosing = false
  #fault: Error | undefined
  /** Called once, when the thread has ended and was not told to. */
  onDeath: (error: Error) => void = () => {}
  /** Called when no thread could work with such orders. */
  onUnfit: (error: Error) => void = () => {}

  constructor(module = threadModule) {
    this.#worker = new Worker(module, { name: 'orbweaver-reader', ...flags })
    this.#outbox = new Outbox(this.#worker)
    let fault = new Error('a reading thread ended by itself')
    this.#worker.on('error', (error: Error) => {
      fault = error
    })
    this.#worker.on('messageerror', (error) => void this.#worker.terminate().then(() => (fault = error)))
    this.#worker.on('message', (reports: readonly Report[]) => {
      for (const report of reports) this.#take(report)
    })
    this.#worker.on('exit', () => this.#ended(fault))
  }

  /** Why it ended, if it has. */
  get fault(): Error | undefined {
    return this.#fault
  }

  /** How many questions it has not answered yet. */
  get underWay(): number {
    return this.#open.size
  }

  tell(order: Exclude<Order, Asked>): void {
    this.#outbox.post(order)
  }

  ask(order: WithoutId<Asked>, onSent: (() => void) | undefined): Promise<Reading | FetchOutcome> {
    const id = this.#nextId++
    const askedAt = performance.now()
    if (this.#fault) return Promise.resolve(this.#lost(askedAt))
    return new Promise((resolve) => {
      this.#open.set(id, { onSent, resolve, askedAt })
      this.#outbox.post({ ...order, id } as Asked)
      // At once: the pages that came with the last batch are about to be stored, and the thread shall not wait for that.
      this.#outbox.flush()
    })
  }

  async close(): Promise<void> {
    this.#isClosing = true
    this.tell({ kind: 'close' })
    this.#outbox.flush()
    const timer = setTimeout(() => void this.#worker.terminate(), closingMs)
    await this.#exited.promise
    clearTimeout(timer)
  }

  #take(report: Report) {
    switch (report.kind) {
      case 'unfit':
        return this.onUnfit(report.isUsage ? new UsageError(report.message) : new Error(report.message))
      case 'sent':
        return this.#open.get(report.id)?.onSent?.()
      case 'read':
        return this.#answer(report.id, arrivedReading(report.reading, this.#release))
      case 'fetched':
        return this.#answer(report.id, arrivedOutcome(report.outcome))
      default:
        return report satisfies never
    }
  }

  readonly #release = (heldBytes: number) => this.tell({ kind: 'release', heldBytes })

  #answer(id: number, answer: Reading | FetchOutcome): void {
    const open = this.#open.get(id)
    this.#open.delete(id)
    open?.resolve(answer)
  }

  #ended(fault: Error): void {
    this.#fault = fault
    this.#exited.resolve()
    for (const [id, { askedAt }] of this.#open) this.#answer(id, this.#lost(askedAt))
    if (!this.#isClosing) this.onDeath(fault)
  }

  #lost(askedAt: number): FetchFailed {
    return {
      kind: 'failed',
      code: this.#isClosing ? 'cancelled' : 'reader-died',
      detail: this.#isClosing ? 'the reader was closed' : (this.#fault?.message ?? ''),
      durationMs: Math.round(performance.now() - askedAt),
    }
  }
}
