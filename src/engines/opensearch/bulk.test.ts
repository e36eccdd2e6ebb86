import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { engineNews } from '../../monitor/events.ts'
import { type BulkOptions, openBulk, RefusedWritesError } from './bulk.ts'
import type { Refusal } from './bulk-answer.ts'
import { type OpenSearch, openClient } from './client.ts'
import { type FaultProxy, openFaultProxy } from './fault-proxy.fixture.ts'
import { EngineAwayError } from './faults.ts'
import { type Operation, operation } from './operation.ts'
import { hastyClock, newCrawl, openSearchForTests, testConfig } from './test-engine.ts'
import { aliasOf, ensureIndex } from './versioned-index.ts'

const plan = {
  ...{ kind: 'things', version: 1, settings: {}, remedy: 'none' },
  mappings: { dynamic: false, properties: { number: { type: 'integer' } } },
}

const put = (id: string, source: object = { number: 1 }): Operation =>
  operation(id, 'done', { index: { _id: id } }, source)

interface Stage extends AsyncDisposable {
  readonly proxy: FaultProxy
  readonly engine: OpenSearch
  readonly alias: string
  bulk(options?: Partial<BulkOptions>): ReturnType<typeof openBulk>
  count(): Promise<number>
}

async function stage({ patienceMs = 600_000 } = {}): Promise<Stage> {
  await using stack = new AsyncDisposableStack()
  const proxy = stack.use(await openFaultProxy(openSearchForTests.url!))
  const engine = stack.use(openClient(testConfig({ urls: [proxy.url], patienceMs }), hastyClock()))
  const alias = aliasOf(engine, newCrawl(), plan.kind)
  await ensureIndex(engine, alias, plan)
  const opened = stack.move()
  return {
    ...{ proxy, engine, alias },
    bulk: (options) => openBulk(engine, { alias, ...options }),
    async count() {
      await engine.ask({ method: 'POST', path: `/${alias}/_refresh` })
      return (await engine.ask<{ count: number }>({ method: 'GET', path: `/${alias}/_count` })).body.count
    },
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  }
}

const bulksIn = ({ seen }: FaultProxy) => seen.filter((line) => line.includes('_bulk')).length
const ids = (count: number) => Array.from({ length: count }, (_, i) => `id-${i}`)

const blockedFor = (isBlocked: boolean) => ({ 'index.blocks.read_only_allow_delete': isBlocked || null })

describe('bulk', { skip: openSearchForTests.skip }, () => {
  test('writes that are refused for long are told of with the reason, and again when they are taken', async () => {
    await using s = await stage()
    const told: [boolean, string][] = []
    const refused = Promise.withResolvers<void>()
    using _news = engineNews.listen(({ engine, isAway, reason }) => {
      if (engine === 'opensearch') told.push([isAway, reason])
      if (isAway) refused.resolve()
    })
    const block = (isBlocked: boolean) =>
      s.engine.ask({ method: 'PUT', path: `/${s.alias}/_settings`, body: blockedFor(isBlocked) })
    await block(true)
    const bulk = s.bulk()
    for (const id of ids(3)) await bulk.add(put(id))
    const flushed = bulk.flush()
    await refused.promise
    await block(false)
    await flushed
    assert.equal(await s.count(), 3)
    assert.match(told[0]![1], /^it rejects writes: cluster_block_exception/)
    assert.deepEqual(told.at(-1), [false, ''])
  })

  test('what was added is sent together, and is there after the flush', async () => {
    await using s = await stage()
    const bulk = s.bulk()
    for (const id of ids(500)) await bulk.add(put(id))
    assert.equal(bulksIn(s.proxy), 0)
    await bulk.flush()
    assert.equal(bulksIn(s.proxy), 1)
    assert.equal(await s.count(), 500)
    await bulk.flush()
    assert.equal(bulksIn(s.proxy), 1)
  })

  test('a flush waits for all that was added before it, also for what another flush has sent', async () => {
    await using s = await stage()
    const bulk = s.bulk()
    await bulk.add(put('a'))
    const first = bulk.flush()
    await bulk.add(put('b'))
    await Promise.all([first, bulk.flush()])
    assert.equal(await s.count(), 2)
  })

  test('while the engine is away nothing is lost, and work goes on when it is back', async () => {
    await using s = await stage()
    let cuts = 8
    s.proxy.fault = () => (cuts-- > 0 ? 'cut' : undefined)
    const bulk = s.bulk()
    for (const id of ids(20)) await bulk.add(put(id))
    await bulk.flush()
    const { sleptMs } = s.engine.clock as ReturnType<typeof hastyClock>
    assert.deepEqual(sleptMs.slice(0, 8), [1000, 2000, 4000, 5000, 5000, 5000, 5000, 5000])
    assert.equal(await s.count(), 20)
  })

  test('an engine that is too busy is asked again later, without end while it answers within the patience', async () => {
    await using s = await stage()
    let busy = 5
    const body = { error: { type: 'rejected_execution_exception', reason: 'queue is full' }, status: 429 }
    s.proxy.fault = (line) => (line.includes('_bulk') && busy-- > 0 ? { status: 429, body } : undefined)
    const bulk = s.bulk()
    for (const id of ids(20)) await bulk.add(put(id))
    await bulk.flush()
    assert.equal(bulksIn(s.proxy), 6)
    assert.equal(await s.count(), 20)
  })

  test('a bulk whose answer was lost is sent again and changes nothing twice', async () => {
    await using s = await stage()
    let losses = 2
    s.proxy.fault = (line) => (line.includes('_bulk') && losses-- > 0 ? 'lost' : undefined)
    const bulk = s.bulk()
    const versioned = { _id: 'a', version: 7, version_type: 'external' }
    await bulk.add(operation('a', 'done', { index: versioned }, { number: 1 }))
    await bulk.flush()
    assert.equal(bulksIn(s.proxy), 3)
    const { body } = await s.engine.ask<{ _version: number; _seq_no: number }>({
      method: 'GET',
      path: `/${s.alias}/_doc/a`,
    })
    assert.deepEqual([body._version, body._seq_no], [7, 0])
  })

  test('of a bulk in which some were rejected only those are sent again', async () => {
    await using s = await stage()
    const sizes: number[] = []
    s.proxy.fault = (line, body) => {
      if (!line.includes('_bulk')) return undefined
      sizes.push(body.toString().trim().split('\n').length / 2)
      if (sizes.length > 1) return undefined
      const rejected = { index: { status: 429, error: { type: 'rejected_execution_exception' } } }
      const items = Array.from({ length: 10 }, (_, i) => (i % 2 ? rejected : { index: { status: 201 } }))
      return { status: 200, body: { errors: true, items } }
    }
    const bulk = s.bulk()
    for (const id of ids(10)) await bulk.add(put(id))
    await bulk.flush()
    assert.deepEqual(sizes, [10, 5])
    assert.equal(await s.count(), 5)
  })

  test('a write that can never succeed fails the flush once, by name, and all others are safe', async () => {
    await using s = await stage()
    const bulk = s.bulk()
    await bulk.add(put('good'))
    await bulk.add(put('https://bad.test/', { number: 'no number' }))
    await bulk.add(put('better'))
    await assert.rejects(bulk.flush(), (error: Error) => {
      assert.ok(error instanceof RefusedWritesError)
      assert.match(error.message, /^OpenSearch refuses to store https:\/\/bad\.test\/: .*parsing.*\.$/)
      return true
    })
    assert.equal(await s.count(), 2)
    await bulk.flush()
  })

  test('whoever wants to be told of refused writes is told, and the flush goes through', async () => {
    await using s = await stage()
    const refusals: Refusal[] = []
    const bulk = s.bulk({ onRefused: (refusal) => refusals.push(refusal) })
    await bulk.add(put('bad', { number: {} }))
    await bulk.add(put('good'))
    await bulk.flush()
    assert.deepEqual(
      refusals.map(({ subject }) => subject),
      ['bad'],
    )
    assert.equal(await s.count(), 1)
  })

  test('what is too large at once is sent in parts, and what is too large alone is refused', async () => {
    await using s = await stage()
    s.proxy.fault = (line, body) =>
      line.includes('_bulk') && body.length > 1000 ? { status: 413, body: {} } : undefined
    const refusals: Refusal[] = []
    const bulk = s.bulk({ onRefused: (refusal) => refusals.push(refusal) })
    for (const id of ids(50)) await bulk.add(put(id, { text: 'some text '.repeat(id === 'id-7' ? 200 : 10) }))
    await bulk.flush()
    assert.deepEqual(refusals, [{ subject: 'id-7', reason: 'larger than the engine accepts' }])
    assert.equal(await s.count(), 49)
  })

  test('a write that spoils the whole bulk is refused alone', async () => {
    await using s = await stage()
    const refusals: Refusal[] = []
    const bulk = s.bulk({ onRefused: (refusal) => refusals.push(refusal) })
    for (const id of ids(20)) await bulk.add(put(id === 'id-3' ? 'x'.repeat(600) : id))
    await bulk.flush()
    assert.equal(refusals.length, 1)
    assert.match(refusals[0]!.reason, /Validation Failed: 1: id/)
    assert.equal(await s.count(), 19)
  })

  test('an engine that stays away fails the flush with one sentence, and every call after it at once', async () => {
    await using s = await stage({ patienceMs: 10_000 })
    s.proxy.fault = () => 'cut'
    const bulk = s.bulk()
    await bulk.add(put('a'))
    await assert.rejects(bulk.flush(), (error: Error) => {
      assert.ok(error instanceof EngineAwayError)
      assert.match(
        error.message,
        /^OpenSearch at http:\S+ cannot be reached \(connection lost; tried for 1\d s\): .*resume\.$/,
      )
      return true
    })
    s.proxy.fault = () => undefined
    await assert.rejects(bulk.add(put('b')), EngineAwayError)
    await assert.rejects(bulk.flush(), EngineAwayError)
  })

  test('an engine that rejects every write for too long fails the flush', async () => {
    await using s = await stage({ patienceMs: 10_000 })
    const item = { index: { status: 429, error: { type: 'rejected_execution_exception' } } }
    s.proxy.fault = (line) =>
      line.includes('_bulk') ? { status: 200, body: { errors: true, items: [item] } } : undefined
    const bulk = s.bulk()
    await bulk.add(put('a'))
    await assert.rejects(bulk.flush(), /it rejects writes/)
  })

  test('adding waits while too much is on its way', async () => {
    await using s = await stage()
    let isAway = true
    s.proxy.fault = () => (isAway ? 'cut' : undefined)
    const bulk = s.bulk()
    const large = { text: 'x'.repeat(4 * 2 ** 20) }
    let added = 0
    const adding = (async () => {
      for (const id of ids(12)) {
        await bulk.add(put(id, large))
        added++
      }
    })()
    await new Promise((resolve) => setTimeout(resolve, 100))
    assert.ok(added < 9, `${added} added`)
    isAway = false
    await adding
    await bulk.flush()
    assert.equal(await s.count(), 12)
  })

  test('an index that is gone is not made anew by writing', async () => {
    await using s = await stage()
    await s.engine.ask({ method: 'DELETE', path: `/${s.alias}-v1` })
    const bulk = s.bulk()
    await bulk.add(put('a'))
    await assert.rejects(bulk.flush(), /require_alias|no such index|index_not_found/)
    const { status } = await s.engine.ask({ method: 'HEAD', path: `/${s.alias}` })
    assert.equal(status, 404)
  })
})
