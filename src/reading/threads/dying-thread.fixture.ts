import { parentPort } from 'node:worker_threads'
import type { Order } from './messages.ts'

/** A thread that answers what it is asked, until a URL asks it to die. */
parentPort?.on('message', (orders: readonly Order[]) => {
  for (const order of orders) {
    if (order.kind === 'close') parentPort?.close()
    if (order.kind !== 'read') continue
    if (order.request.url.endsWith('/die')) throw new Error('out of its mind')
    if (order.request.url.endsWith('/never')) continue
    const reading = { kind: 'failed', code: 'reset', detail: order.request.url, durationMs: 0 }
    parentPort?.postMessage([{ kind: 'read', id: order.id, reading }])
  }
})
