import { type MessagePort, parentPort } from 'node:worker_threads'
import { clockAhead } from '../../clock.ts'
import { UsageError } from '../../config/usage-error.ts'
import { openPageReader } from '../open-page-reader.ts'
import type { PageReader } from '../page-reader.ts'
import { departingOutcome, departingReading } from './crossing.ts'
import type { Order, Report } from './messages.ts'
import { Outbox } from './outbox.ts'

/** The life of a reading thread: it opens a reader when told to, and obeys until it is closed. */
export function obey(port: MessagePort = parentPort!): void {
  const outbox = new Outbox<Report>(port)
  const aborting = new AbortController()
  let reader: PageReader

  function open({ orders, clockAheadMs }: Extract<Order, { kind: 'open' }>): void {
    try {
      reader = openPageReader(orders, clockAhead(clockAheadMs), aborting.signal)
    } catch (error) {
      outbox.post({ kind: 'unfit', message: (error as Error).message, isUsage: error instanceof UsageError })
    }
  }

  async function read({ id, request }: Extract<Order, { kind: 'read' }>): Promise<void> {
    const reading = await reader.read(request, () => outbox.post({ kind: 'sent', id }))
    const { value, bytes } = departingReading(reading)
    outbox.post({ kind: 'read', id, reading: value }, bytes)
  }

  async function fetch({ id, url, options }: Extract<Order, { kind: 'fetch' }>): Promise<void> {
    const outcome = await reader.fetch(url, { ...options, onSent: () => outbox.post({ kind: 'sent', id }) })
    const { value, bytes } = departingOutcome(outcome)
    outbox.post({ kind: 'fetched', id, outcome: value }, bytes)
  }

  async function close(): Promise<void> {
    await reader?.[Symbol.asyncDispose]()
    outbox.flush()
    port.close()
  }

  function take(order: Order): void | Promise<void> {
    switch (order.kind) {
      case 'open':
        return open(order)
      case 'read':
        return read(order)
      case 'fetch':
        return fetch(order)
      case 'widen':
        return reader.widen(order.host)
      case 'release':
        return reader.release(order.heldBytes)
      case 'abort':
        return aborting.abort()
      case 'close':
        return close()
      default:
        return order satisfies never
    }
  }

  port.on('message', (orders: readonly Order[]) => {
    for (const order of orders) void take(order)
  })
}
