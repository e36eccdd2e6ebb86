import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { openDatabase } from '../../../embedded/database.ts'
import { type CanonicalUrl, type HostKey, loadFingerprint } from '../../../url/keys.ts'
import type { Candidate } from '../../frontier.ts'
import { frontierOn } from './test-frontier.ts'

const fingerprint = await loadFingerprint()

function candidate(url: string): Candidate {
  const host = new URL(url).host as HostKey
  return { url: url as CanonicalUrl, host, band: 'medium', depth: 0, parent: null, redirects: 0 }
}

/** A frontier at work, with a clock that is set by hand, and two dead letters of one host. */
async function withDeadLetters(hold?: { ms: number; reason: string }) {
  const folder = mkdtempSync(join(tmpdir(), 'orbweaver-frontier-'))
  const database = openDatabase(join(folder, 'crawl.sqlite'))
  const time = { now: 1_000_000 }
  const clock = { now: () => time.now, sleep: async () => {} }
  const frontier = frontierOn(database, fingerprint, clock, join(folder, 'seen.bloom'))
  const urls = ['http://a.test/1', 'http://a.test/2'] as CanonicalUrl[]
  await frontier.offer(urls.map(candidate))
  const [lease] = (await frontier.lease(1, 10)).leases
  await frontier.settle(
    lease!,
    urls.map((url) => ({ url, kind: 'dead', reason: 'reset' }) as const),
  )
  const pace = { ...lease!.pace, failures: 5 }
  await frontier.release(lease!, { touchedMsAgo: 0, pace, ...(hold ? { hold } : {}) })
  return {
    ...{ frontier, time, urls },
    async [Symbol.asyncDispose]() {
      await frontier[Symbol.asyncDispose]()
      database[Symbol.dispose]()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

test('a dead letter that is retried while the frontier is at work is leased again, with fresh attempts', async () => {
  await using under = await withDeadLetters()
  const { frontier, time, urls } = under
  assert.equal(await frontier.deadLetters.retryDead({ urls: [urls[0]!] }), 1)
  assert.deepEqual(await frontier.counts(), { admitted: 2, queued: 1, leased: 0, done: 0, excluded: 0, dead: 1 })
  assert.deepEqual(frontier.openByBand(), { high: 0, medium: 1, low: 0 })
  time.now += 1000
  const [lease] = (await frontier.lease(1, 10)).leases
  assert.deepEqual(
    lease!.requests.map(({ url, attempts }) => [url, attempts]),
    [[urls[0], 0]],
  )
  assert.equal(lease!.pace.failures, 0)
  assert.equal(await frontier.finished(), false)
})

test('a circuit that had opened closes; a rest that the server asked for stays', async () => {
  for (const [reason, due] of [
    ['circuit-open', 1],
    ['retry-after', 0],
  ] as const) {
    await using under = await withDeadLetters({ ms: 600_000, reason })
    const { frontier, time } = under
    await frontier.deadLetters.retryDead({})
    time.now += 1000
    assert.equal((await frontier.lease(1, 10)).leases.length, due, reason)
  }
})

test('a dead letter that is dropped is excluded for good', async () => {
  await using under = await withDeadLetters()
  const { frontier } = under
  assert.equal(await frontier.deadLetters.dropDead({ reason: 'reset' }), 2)
  assert.equal(await frontier.deadLetters.dropDead({ reason: 'reset' }), 0)
  assert.deepEqual(await frontier.counts(), { admitted: 2, queued: 0, leased: 0, done: 0, excluded: 2, dead: 0 })
  assert.equal(await frontier.finished(), true)
})

test('letters of a host that was found since the last commit are found', async () => {
  await using under = await withDeadLetters()
  const { frontier } = under
  assert.equal(await frontier.deadLetters.retryDead({ host: 'a.test' as HostKey }), 2)
})
