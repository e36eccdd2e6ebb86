import assert from 'node:assert/strict'
import { connect } from 'node:net'
import { after, before, describe, test } from 'node:test'
import fc from 'fast-check'
import { type OperationName, paths } from './api/paths.ts'
import { linesType } from './lines.ts'
import { type ServedWeb, servedWeb } from './server.fixture.ts'

const segments = fc.oneof(
  fc.constantFrom('fuzzed', 'none', '..', '%2e%2e', '%', '%00', '*.test', 'a.test', '__proto__', 'constructor', ''),
  fc.string({ maxLength: 20 }).map(encodeURIComponent),
  fc.string({ unit: 'binary', maxLength: 10 }).map((text) => encodeURIComponent(text.toWellFormed())),
)

const queryNames = fc.constantFrom(
  'url',
  'q',
  'limit',
  'offset',
  'sort',
  'order',
  'search',
  'reason',
  'host',
  'pattern',
  'direction',
  '__proto__',
  'x',
)
const queryValues = fc.oneof(
  fc.constantFrom(
    '',
    '0',
    '-1',
    '1e9',
    '99999999999999999999',
    'null',
    'http://shop.test/',
    'http://[',
    'urls',
    'desc',
    '"',
    '*',
    '[',
    'site:',
    '\u0000',
  ),
  fc.string({ maxLength: 50 }),
)
const queries = fc.array(fc.tuple(queryNames, queryValues), { maxLength: 4 })

const keys = fc.constantFrom(
  'id',
  'seeds',
  'settings',
  'urls',
  'band',
  'maxPages',
  'delayMs',
  'block',
  'reason',
  'host',
  'pattern',
  'all',
  'forMs',
  'note',
  'page',
  '__proto__',
)
const leaves = fc.oneof(
  fc.constantFrom('http://', 'a.test', 'http://shop.test/', [], {}, null, true, -1, 1e308),
  fc.jsonValue({ maxDepth: 2 }),
)
const bodies = fc.oneof(
  fc.dictionary(keys, leaves, { maxKeys: 4 }).map((body) => JSON.stringify(body)),
  fc.jsonValue().map((value) => JSON.stringify(value)),
  fc.string({ maxLength: 50 }),
)

const operations = fc.constantFrom(...(Object.keys(paths) as OperationName[]))

describe('whatever is sent', () => {
  let served: ServedWeb
  before(async () => {
    served = await servedWeb({ settings: { 'server.requestsPerSecond': 100_000 } })
    await served.crawl('fuzzed', ['side', 'nowhere'])
    await served.ended('fuzzed')
  })
  after(() => served[Symbol.asyncDispose]())

  test('the API never answers 500, and always with JSON, text or a problem document', { timeout: 60_000 }, async () => {
    await fc.assert(
      fc.asyncProperty(
        operations,
        fc.array(segments, { minLength: 2, maxLength: 2 }),
        queries,
        bodies,
        async (name, parts, query, body) => {
          const [method, path] = paths[name].split(' ') as [string, string]
          const rest = [...parts]
          const place = path.replaceAll(/\{\w+\}/g, () => rest.shift()!)
          const url = `${served.server.url}${place}?${new URLSearchParams(query.map(([key, value]) => [key, value]))}`
          const response = await fetch(url, {
            method,
            ...(method === 'GET' ? {} : { body, headers: { 'content-type': 'application/json' } }),
          })
          const text = await response.text()
          assert.notEqual(response.status, 500, `${method} ${url} ${body}`)
          const type = response.headers.get('content-type') ?? ''
          if (type.startsWith(linesType)) for (const line of text.trimEnd().split('\n')) JSON.parse(line || 'null')
          else if (type.includes('json')) JSON.parse(text)
          if (response.status >= 400) assert.equal(type, 'application/problem+json')
          if (response.status === 201) await served.client.stopCrawl({ params: { crawl: JSON.parse(text).id } })
        },
      ),
      { numRuns: 1500, examples: [['exportRecords', ['fuzzed', ''], [], '[]']] },
    )
    assert.deepEqual(served.logged, [])
  })

  test('bytes that are no HTTP end their own connection only', { timeout: 30_000 }, async () => {
    const { port } = new URL(served.server.url)
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 200 }), fc.boolean(), async (bytes, asRequest) => {
        await new Promise<void>((resolve) => {
          const socket = connect(Number(port), '127.0.0.1')
          socket.on('error', () => resolve())
          socket.on('close', () => resolve())
          socket.on('data', () => socket.end())
          if (asRequest) socket.write('GET /v1/crawls?')
          socket.end(bytes)
        })
      }),
      { numRuns: 100 },
    )
    assert.equal((await served.client.getHealth()).status, 'ok')
  })
})
