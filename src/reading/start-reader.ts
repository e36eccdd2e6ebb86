import { availableParallelism } from 'node:os'
import type { Clock } from '../clock.ts'
import { Together } from '../together.ts'
import type { ReadingOrders } from './open-page-reader.ts'
import type { Reader } from './reader.ts'
import { ThreadedReader } from './threads/threaded-reader.ts'

export interface ReadingContext {
  readonly orders: ReadingOrders
  readonly clock: Clock
  /** Set: what is under way is given up. */
  readonly aborting: AbortSignal
  /** Nothing can be read any more: the crawl cannot go on. */
  readonly fail: (error: unknown) => void
}

/** Threads on their way: they load while the crawl's folder is opened. */
export interface StartedReader extends AsyncDisposable {
  /** Once. The reader is then closed by closing this. */
  open(context: ReadingContext): Promise<Reader>
}

const maxThreadsByDefault = 8

/** `wanted` threads read beside the one that stores; 0: that one reads too; `null`: one less than there are cores. */
export function startReader(wanted: number | null): StartedReader {
  const threads = wanted ?? Math.min(availableParallelism() - 1, maxThreadsByDefault)
  return threads === 0 ? hereStarted() : threadsStarted(threads)
}

function hereStarted(): StartedReader {
  // Loads the HTTP client and the parser, which the storing thread does without where others read.
  const loading = import('./open-page-reader.ts')
  let reader: Reader | undefined
  return {
    async open({ orders, clock, aborting }) {
      const { openPageReader } = await loading
      reader = inBatches(openPageReader(orders, clock, aborting))
      return reader
    },
    async [Symbol.asyncDispose]() {
      await reader?.[Symbol.asyncDispose]()
    },
  }
}

/** What was read in one turn of the event loop is handed out together, as it is by threads. */
export function inBatches(reader: Reader): Reader {
  const together = new Together()
  return {
    async read(request, onSent) {
      const reading = await reader.read(request, onSent)
      await together.leave()
      return reading
    },
    fetch: reader.fetch,
    widen: (host) => reader.widen(host),
    [Symbol.asyncDispose]: () => reader[Symbol.asyncDispose](),
  }
}

function threadsStarted(threads: number): StartedReader {
  const reader = new ThreadedReader(threads)
  return {
    async open(context) {
      reader.open(context)
      return reader
    },
    [Symbol.asyncDispose]: () => reader[Symbol.asyncDispose](),
  }
}
