import { randomBytes } from 'node:crypto'
import { after } from 'node:test'
import { engineFor } from '../../../test/engines.ts'
import { type Clock, systemClock } from '../../clock.ts'
import { type OpenSearch, openClient } from './client.ts'
import { type OpenSearchConfig, openSearchConfig } from './config.ts'

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
  const { body } = await engine.ask<Record<string, unknown>>({ method: 'GET', path: `/${prefix}.*/_alias` })
  for (const name of Object.keys(body)) await engine.ask({ method: 'DELETE', path: `/${name}` })
  await engine[Symbol.asyncDispose]()
})

let crawls = 0
/** A crawl that no other test has. */
export const newCrawl = () => `crawl-${++crawls}`
