import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openDatabase } from '../../../embedded/database.ts'
import { openFacts } from '../../../embedded/facts.ts'
import { type CanonicalUrl, type HostKey, loadFingerprint } from '../../../url/keys.ts'
import type { Ledger } from '../../ledger.ts'
import { embeddedLedger } from './embedded-ledger.ts'
import { frontierOn } from './test-frontier.ts'

const fingerprint = await loadFingerprint()
const candidate = (url: string, extra = {}) => {
  const host = new URL(url).host as HostKey
  return { url: url as CanonicalUrl, host, band: 'medium' as const, depth: 0, parent: null, redirects: 0, ...extra }
}

async function withDeadLetters(body: (ledger: Ledger, reopen: () => Promise<string[]>) => Promise<void>) {
  using database = openDatabase(':memory:')
  const frontier = frontierOn(database, fingerprint)
  await frontier.offer(
    ['a.test/1', 'a.test/2', 'b.test/[x]?q=1', 'b.test/ok'].map((path) => candidate(`http://${path}`)),
  )
  await frontier.offer([candidate('http://a.test/a/a/a', { refusal: 'path-loop', parent: 'http://a.test/1' })])
  for (const lease of (await frontier.lease(2, 2)).leases) {
    for (const { url } of lease.requests) {
      const reason = url.includes('a.test') ? 'reset' : 'tls-invalid'
      const settled = url.endsWith('ok') ? ({ url, kind: 'done' } as const) : ({ url, kind: 'dead', reason } as const)
      await frontier.settle(lease, [settled])
    }
    await frontier.release(lease, { touchedMsAgo: null, pace: lease.pace })
  }
  await frontier[Symbol.asyncDispose]()
  await body(embeddedLedger(database, openFacts(database), fingerprint), async () => {
    const again = frontierOn(database, fingerprint)
    const { leases } = await again.lease(10, 10)
    return leases.flatMap(({ requests }) => requests.map(({ url, attempts }) => `${url} ${attempts}`))
  })
}

const urls = async (entries: AsyncIterable<{ url: string }>) => (await Array.fromAsync(entries)).map(({ url }) => url)

test('a URL is found with what became of it and who named it', () =>
  withDeadLetters(async (ledger) => {
    const trap = await ledger.lookup('http://a.test/a/a/a' as CanonicalUrl)
    assert.equal(trap?.state, 'excluded')
    assert.equal(trap?.reason, 'path-loop')
    assert.equal(trap?.parent, 'http://a.test/1')
    assert.equal((await ledger.lookup('http://b.test/ok' as CanonicalUrl))?.state, 'done')
    assert.equal(await ledger.lookup('http://b.test/unknown' as CanonicalUrl), undefined)
  }))

test('dead letters are listed by reason, host and pattern, and a pattern knows no magic but the star', () =>
  withDeadLetters(async (ledger) => {
    assert.deepEqual(await urls(ledger.dead({ reason: 'reset' })), ['http://a.test/1', 'http://a.test/2'])
    assert.deepEqual(await urls(ledger.dead({ host: 'b.test' as HostKey })), ['http://b.test/[x]?q=1'])
    assert.deepEqual(await urls(ledger.dead({ pattern: '*/[x]?q=*' })), ['http://b.test/[x]?q=1'])
    assert.deepEqual(await urls(ledger.dead({ pattern: '*/?' })), [])
    assert.deepEqual(await urls(ledger.dead({}, 2)), ['http://a.test/1', 'http://a.test/2'])
  }))

test('a dead letter that is retried is handed out again with fresh attempts; a dropped one is not', () =>
  withDeadLetters(async (ledger, reopen) => {
    assert.equal(await ledger.retryDead({ pattern: '*/1' }), 1)
    assert.equal(await ledger.dropDead({ reason: 'tls-invalid' }), 1)
    assert.deepEqual(await ledger.counts(), { admitted: 5, queued: 1, leased: 0, done: 1, excluded: 2, dead: 1 })
    assert.deepEqual(await reopen(), ['http://a.test/1 0'])
  }))

test('a host whose dead letters are retried need not wait out what it was held for, but for what its server asked', async () => {
  for (const [reason, due] of [
    ['circuit-open', 1],
    ['retry-after', 0],
  ] as const) {
    using database = openDatabase(':memory:')
    const frontier = frontierOn(database, fingerprint)
    await frontier.offer([candidate('http://a.test/1')])
    const [lease] = (await frontier.lease(1, 1)).leases
    const url = 'http://a.test/1' as CanonicalUrl
    await frontier.settle(lease!, [{ url, kind: 'dead', reason: 'reset' }], { ms: 300_000, reason })
    await frontier.release(lease!, { touchedMsAgo: null, pace: { ...lease!.pace, gapMs: 0, failures: 7 } })
    await frontier[Symbol.asyncDispose]()
    await embeddedLedger(database, openFacts(database), fingerprint).retryDead({})
    const { leases } = await frontierOn(database, fingerprint).lease(1, 1)
    assert.equal(leases.length, due, reason)
    if (due) assert.equal(leases[0]!.pace.failures, 0)
  }
})

test('hosts come with the most URLs first', () =>
  withDeadLetters(async (ledger) => {
    const hosts = await ledger.hosts(10)
    assert.deepEqual(
      hosts.map(({ host, counts }) => [host, counts.admitted]),
      [
        ['a.test', 3],
        ['b.test', 2],
      ],
    )
  }))
