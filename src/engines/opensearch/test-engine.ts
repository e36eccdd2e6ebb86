import { randomBytes } from 'node:crypto'
import { after } from 'node:test'
import { engineFor } from '../../../test/engines.ts'
import { type Clock, systemClock } from '../../clock.ts'
import { type OpenSearch, openClient } from './client.ts'
import { type OpenSearchConfig, openSearchConfig } from './config.ts'
import { dropIndexes } from './versioned-index.ts'

export const openSearchForTests = engineFor('opensearch')

/** What tests of one file make has this prefix, and is removed in the end. */
const prefix = `test-${randomBytes(6).toString('hex')}`

export function testConfig(changes: Partial<OpenSearchConfig> = {}): OpenSearchConfig {
  return openSearchConfig.parse({ urls: [openSearchForTests.url], prefix, replicas: 0, ...changes })
}

let opened: OpenSearch | undefined

/** One connection for all tests of a file. */
export function testEngine(clock: Clock = systemClock()): OpenSearch {
  opened ??= openClient(testConfig(), clock)
  return opened
}

after(async () => {
  if (openSearchForTests.skip) return
  const engine = testEngine()
  await dropIndexes(engine, `${prefix}.*`)
  await engine[Symbol.asyncDispose]()
})

let crawls = 0
/** A crawl that no other test has. */
export const newCrawl = () => `crawl-${++crawls}`

/** Time in which waiting is short: a second of back-off takes a few milliseconds, and counts as a second. */
export function hastyClock(): Clock & { readonly sleptMs: number[] } {
  const real = systemClock()
  let skippedMs = 0
  const sleptMs: number[] = []
  return {
    sleptMs,
    now: () => real.now() + skippedMs,
    async sleep(ms, signal) {
      sleptMs.push(ms)
      await real.sleep(ms / 100, signal)
      skippedMs += ms
    },
  }
}
