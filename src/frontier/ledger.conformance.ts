import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { CanonicalUrl, HostKey } from '../url/keys.ts'
import type { Candidate, Frontier, HostLease } from './frontier.ts'
import type { HostQuery, Ledger } from './ledger.ts'

/** A crawl under test: worked on by one frontier after the other, and read when none does. */
export interface LedgerUnderTest extends AsyncDisposable {
  openFrontier(): Promise<Frontier>
  openLedger(): Promise<Ledger>
}

const candidate = (url: string, extra: Partial<Candidate> = {}): Candidate => {
  const host = new URL(url).host as HostKey
  return { url: url as CanonicalUrl, host, band: 'medium', depth: 0, parent: null, redirects: 0, ...extra }
}

const urlsOf = async (entries: AsyncIterable<{ url: string }>) =>
  (await Array.fromAsync(entries)).map(({ url }) => url).sort()

const leave = (frontier: Frontier, lease: HostLease) =>
  frontier.release(lease, { touchedMsAgo: null, pace: lease.pace })

async function makeDeadLetters(under: LedgerUnderTest): Promise<Ledger> {
  await using frontier = await under.openFrontier()
  await frontier.offer(
    ['a.test/1', 'a.test/2', 'b.test/[x]?q=1', 'b.test/ok'].map((path) => candidate(`http://${path}`)),
  )
  const parent = 'http://a.test/1' as CanonicalUrl
  await frontier.offer([candidate('http://a.test/a/a/a', { refusal: 'path-loop', parent })])
  for (const lease of (await frontier.lease(2, 2)).leases) {
    for (const { url } of lease.requests) {
      const reason = url.includes('a.test') ? 'reset' : 'tls-invalid'
      await frontier.settle(lease, [url.endsWith('ok') ? { url, kind: 'done' } : { url, kind: 'dead', reason }])
    }
    await leave(frontier, lease)
  }
  return under.openLedger()
}

/** What is due, each with its failed attempts. */
async function dueIn(under: LedgerUnderTest): Promise<string[]> {
  await using frontier = await under.openFrontier()
  const { leases } = await frontier.lease(10, 10)
  return leases.flatMap(({ requests }) => requests.map(({ url, attempts }) => `${url} ${attempts}`))
}

export function ledgerConformance(
  name: string,
  open: () => Promise<LedgerUnderTest>,
  { skip }: { readonly skip?: string | undefined } = {},
): void {
  describe(`ledger conformance: ${name}`, { skip: skip ?? false }, () => {
    const promise = (title: string, body: (ledger: Ledger, under: LedgerUnderTest) => Promise<void>) =>
      test(title, async () => {
        await using under = await open()
        await using ledger = await makeDeadLetters(under)
        await body(ledger, under)
      })

    promise('a URL is found with what became of it and who named it', async (ledger) => {
      const trap = await ledger.lookup('http://a.test/a/a/a' as CanonicalUrl)
      assert.equal(trap?.state, 'excluded')
      assert.equal(trap?.reason, 'path-loop')
      assert.equal(trap?.parent, 'http://a.test/1')
      assert.equal((await ledger.lookup('http://b.test/ok' as CanonicalUrl))?.state, 'done')
      assert.equal(await ledger.lookup('http://b.test/unknown' as CanonicalUrl), undefined)
    })

    promise(
      'dead letters are listed by reason, host and pattern, which knows no magic but the star',
      async (ledger) => {
        assert.deepEqual(await urlsOf(ledger.dead({ reason: 'reset' })), ['http://a.test/1', 'http://a.test/2'])
        assert.deepEqual(await urlsOf(ledger.dead({ host: 'b.test' as HostKey })), ['http://b.test/[x]?q=1'])
        assert.deepEqual(await urlsOf(ledger.dead({ pattern: '*/[x]?q=*' })), ['http://b.test/[x]?q=1'])
        assert.deepEqual(await urlsOf(ledger.dead({ pattern: '*/?' })), [])
        assert.equal((await urlsOf(ledger.dead({}, 2))).length, 2)
      },
    )

    promise(
      'a dead letter that is retried is due again with fresh attempts; a dropped one is not',
      async (ledger, under) => {
        assert.equal(await ledger.retryDead({ pattern: '*/1' }), 1)
        assert.equal(await ledger.dropDead({ reason: 'tls-invalid' }), 1)
        assert.deepEqual(await ledger.counts(), { admitted: 5, queued: 1, leased: 0, done: 1, excluded: 2, dead: 1 })
        assert.deepEqual(await urlsOf(ledger.urls('excluded')), ['http://a.test/a/a/a', 'http://b.test/[x]?q=1'])
        const dropped = await ledger.lookup('http://b.test/[x]?q=1' as CanonicalUrl)
        assert.equal(dropped?.reason, 'dropped: tls-invalid')
        assert.deepEqual(await dueIn(under), ['http://a.test/1 0'])
      },
    )

    promise('what waits is listed, and what was put off says until when and why', async (ledger, under) => {
      await using frontier = await under.openFrontier()
      const parent = 'http://c.test/1' as CanonicalUrl
      await frontier.offer([candidate(parent, { depth: 1, band: 'high' })])
      await frontier.offer([2, 3].map((n) => candidate(`http://c.test/${n}`, { parent, depth: n, band: 'high' })))
      await frontier.offer([candidate('http://d.test/alone')])
      const lease = (await frontier.lease(10, 1)).leases.find(({ host }) => host === 'c.test')!
      const { url } = lease.requests[0]!
      await frontier.settle(lease, [{ url, kind: 'retry', afterMs: 60_000, reason: 'timeout' }])
      await leave(frontier, lease)
      await frontier.sync()
      const waiting = [...(await urlsOf(ledger.urls('queued'))), ...(await urlsOf(ledger.urls('leased')))]
      assert.deepEqual(
        new Set(waiting),
        new Set(['http://d.test/alone', ...[1, 2, 3].map((n) => `http://c.test/${n}`)]),
      )
      const putOff = await ledger.lookup(url)
      assert.deepEqual([putOff?.state, putOff?.reason, putOff?.attempts], ['queued', 'timeout', 1])
      assert.ok(putOff!.dueAt! > 0)
      const queued = await ledger.lookup('http://c.test/3' as CanonicalUrl)
      assert.deepEqual([queued?.state, queued?.parent, queued?.depth, queued?.band], ['queued', parent, 3, 'high'])
    })

    promise('hosts are found by a part of their name, in the order asked for, some at a time', async (ledger) => {
      const find = async (query: Partial<HostQuery>) => {
        const usual = { search: '', sort: 'name', order: 'asc', offset: 0, limit: 10 } as const
        const { total, hosts } = await ledger.findHosts({ ...usual, ...query })
        return [total, ...hosts.map(({ host }) => host)]
      }
      assert.deepEqual(await find({}), [2, 'a.test', 'b.test'])
      assert.deepEqual(await find({ order: 'desc' }), [2, 'b.test', 'a.test'])
      assert.deepEqual(await find({ sort: 'dead', order: 'desc' }), [2, 'a.test', 'b.test'])
      assert.deepEqual(await find({ search: 'b.te' }), [1, 'b.test'])
      assert.deepEqual(await find({ search: '%' }), [0])
      assert.deepEqual(await find({ limit: 1, offset: 1 }), [2, 'b.test'])
      assert.deepEqual(await find({ limit: 1, offset: 2 }), [2])
      assert.equal((await ledger.host('a.test' as HostKey))?.counts.admitted, 3)
      assert.equal(await ledger.host('c.test' as HostKey), undefined)
    })

    promise('dead letters can be named one by one', async (ledger) => {
      const urls = ['http://a.test/1', 'http://b.test/ok', 'http://c.test/never'] as CanonicalUrl[]
      assert.deepEqual(await urlsOf(ledger.dead({ urls })), ['http://a.test/1'])
      assert.equal(await ledger.dropDead({ urls }), 1)
    })

    promise('hosts come with the most URLs first', async (ledger) => {
      assert.deepEqual(
        (await ledger.hosts(10)).map(({ host, counts }) => [host, counts.admitted]),
        [
          ['a.test', 3],
          ['b.test', 2],
        ],
      )
      assert.deepEqual(
        (await ledger.hosts(1)).map(({ host }) => host),
        ['a.test'],
      )
    })

    for (const [reason, due] of [
      ['circuit-open', 1],
      ['retry-after', 0],
    ] as const)
      test(`a host held for ${reason}, whose dead letters are retried, ${due ? 'need not' : 'must'} wait it out`, async () => {
        await using under = await open()
        const url = 'http://a.test/1' as CanonicalUrl
        {
          await using frontier = await under.openFrontier()
          await frontier.offer([candidate(url)])
          const [lease] = (await frontier.lease(1, 1)).leases
          await frontier.settle(lease!, [{ url, kind: 'dead', reason: 'reset' }], { ms: 300_000, reason })
          await frontier.release(lease!, { touchedMsAgo: null, pace: { ...lease!.pace, gapMs: 0, failures: 7 } })
        }
        await (await under.openLedger()).retryDead({})
        await using frontier = await under.openFrontier()
        const { leases } = await frontier.lease(1, 1)
        assert.equal(leases.length, due)
        if (due) assert.equal(leases[0]!.pace.failures, 0)
      })
  })
}
