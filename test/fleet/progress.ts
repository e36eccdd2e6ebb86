import { setTimeout as sleep } from 'node:timers/promises'
import type { FleetReader } from '../../src/fleet/open-reader.ts'

/** URLs of a crawl that have come to their end. */
export async function settledIn({ ledger }: FleetReader): Promise<number> {
  const { done, excluded, dead } = await ledger.counts()
  return done + excluded + dead
}

/** Resolves when so many URLs have come to their end, or the crawl has. */
export async function untilSettled(reader: FleetReader, count: number, check: () => void): Promise<void> {
  while ((await settledIn(reader)) < count && (await reader.state()) === 'running') {
    check()
    await sleep(100)
  }
}

/** How long it takes until one more URL comes to its end. */
export async function recoveryMs(reader: FleetReader, check: () => void): Promise<number> {
  const since = performance.now()
  const before = await settledIn(reader)
  await untilSettled(reader, before + 1, check)
  return performance.now() - since
}
