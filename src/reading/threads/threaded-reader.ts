import { monotonicMs } from '../../clock.ts'
import type { Fetcher } from '../../fetch/fetcher.ts'
import type { FetchOutcome } from '../../fetch/outcome.ts'
import type { CrawlRequest } from '../../frontier/frontier.ts'
import { type CanonicalUrl, hostOf } from '../../url/keys.ts'
import type { Reader } from '../reader.ts'
import type { Reading } from '../reading.ts'
import type { ReadingContext } from '../start-reader.ts'
import { ReadingThread } from './reading-thread.ts'

/** A thread is passed over when it has so much more to do than the one with the least. */
const slackShare = 1.25
const slack = 8
/** A thread that keeps dying is not the pages' fault. */
const maxDeathsInARow = 20

/**
 * Reads in other threads, which share nothing with this one but messages. A host has its home thread, where its
 * connections are; only when that one has much more to do than another does the other help. A thread that dies is
 * replaced, and what it was reading counts as failed, like any failure that may heal.
 */
export class ThreadedReader implements Reader {
  readonly #threads: ReadingThread[]
  readonly #startThread: () => ReadingThread
  readonly #widened: string[] = []
  #context: ReadingContext | undefined
  #deathsInARow = 0

  /** Threads take a while to start, so they may before it is known what to read. */
  constructor(threads: number, startThread = () => new ReadingThread()) {
    this.#startThread = startThread
    this.#threads = Array.from({ length: threads }, startThread)
  }

  open(context: ReadingContext): void {
    this.#context = context
    for (const [place, thread] of this.#threads.entries()) this.#open(thread, place, context)
    context.aborting.addEventListener('abort', () => {
      for (const thread of this.#threads) thread.tell({ kind: 'abort' })
    })
  }

  async read(request: CrawlRequest, onSent: () => void): Promise<Reading> {
    const reading = await this.#threadFor(request.url).ask({ kind: 'read', request }, onSent)
    this.#answered(reading)
    return reading as Reading
  }

  readonly fetch: Fetcher['fetch'] = async (url, { onSent, signal: _stays, ...options } = {}) => {
    const outcome = await this.#threadFor(url).ask({ kind: 'fetch', url, options }, onSent)
    this.#answered(outcome)
    return outcome as FetchOutcome
  }

  widen(host: string): void {
    this.#widened.push(host)
    for (const thread of this.#threads) thread.tell({ kind: 'widen', host })
  }

  async [Symbol.asyncDispose]() {
    await Promise.all(this.#threads.map((thread) => thread.close()))
  }

  #open(thread: ReadingThread, place: number, { orders, clock, aborting, fail }: ReadingContext) {
    if (thread.fault) return this.#replace(place, thread.fault)
    thread.onUnfit = fail
    thread.onDeath = (error) => this.#replace(place, error)
    const maxHeldBytes = Math.floor(orders.maxHeldBytes / this.#threads.length)
    thread.tell({ kind: 'open', orders: { ...orders, maxHeldBytes }, clockAheadMs: clock.now() - monotonicMs() })
    for (const host of this.#widened) thread.tell({ kind: 'widen', host })
    if (aborting.aborted) thread.tell({ kind: 'abort' })
  }

  #replace(place: number, error: Error) {
    if (++this.#deathsInARow > maxDeathsInARow) return this.#context!.fail(error)
    const thread = this.#startThread()
    this.#threads[place] = thread
    this.#open(thread, place, this.#context!)
  }

  #answered(answer: Reading | FetchOutcome): void {
    if (answer.kind !== 'failed' || answer.code !== 'reader-died') this.#deathsInARow = 0
  }

  #threadFor(url: CanonicalUrl): ReadingThread {
    const threads = this.#threads
    const home = threads[placeOf(hostOf(url), threads.length)]!
    let least = home
    for (const thread of threads) if (thread.underWay < least.underWay) least = thread
    return home.underWay > least.underWay * slackShare + slack ? least : home
  }
}

function placeOf(host: string, threads: number): number {
  let hash = 0
  for (let i = 0; i < host.length; i++) hash = (Math.imul(hash, 31) + host.charCodeAt(i)) >>> 0
  return hash % threads
}
