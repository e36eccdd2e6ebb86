import assert from 'node:assert/strict'
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { CanonicalUrl, HostKey } from '../../../url/keys.ts'
import type { Frontier } from '../../frontier.ts'
import type { KafkaFrontier } from './kafka-frontier.ts'
import { arrived, candidate, joinCrawl, newPlace, skip, until } from './test-kafka-frontier.ts'

const everyShard = Array.from({ length: 12 }, (_, shard) => shard)
const bandOf = (n: number) => (['high', 'medium', 'low'] as const)[n % 3]!
const some = (from: number, count: number) =>
  Array.from({ length: count }, (_, n) => candidate(`h${(from + n) % 40}.test`, `${from + n}`, bandOf(from + n)))

/** Visits whatever the frontier gives until the signal is set; a URL that comes a second time is noted. */
async function visit(frontier: Frontier, visited: Map<CanonicalUrl, number>, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    const { leases } = await frontier.lease(5, 5)
    for (const lease of leases) {
      const urls = lease.requests.map(({ url }) => url)
      for (const url of urls) visited.set(url, (visited.get(url) ?? 0) + 1)
      await frontier.settle(
        lease,
        urls.map((url) => ({ url, kind: 'done' })),
      )
      await frontier.release(lease, { touchedMsAgo: 0, pace: lease.pace })
    }
    if (leases.length === 0) await sleep(5)
  }
}

/** While it runs, no shard may have two owners. Answers how often it has looked. */
async function watchOwners(members: readonly KafkaFrontier[], signal: AbortSignal): Promise<number> {
  let looks = 0
  for (; !signal.aborted; looks++) {
    const owned = members.flatMap(({ ownedShards }) => ownedShards)
    assert.equal(new Set(owned).size, owned.length, `owned twice: ${owned}`)
    await sleep(2)
  }
  return looks
}

test('members come and go: each URL is visited once, and no shard ever has two owners', { skip }, async () => {
  await using crawl = await joinCrawl(newPlace(), 0)
  const ending = new AbortController()
  const leaving = new AbortController()
  const first = await crawl.open()
  const members = [first]
  const visited = new Map<CanonicalUrl, number>()
  const watching = watchOwners(members, ending.signal)
  const working = [visit(first, visited, ending.signal)]
  assert.deepEqual(first.ownedShards, everyShard)
  await first.offer(some(0, 300))

  const second = await crawl.open()
  members.push(second)
  const leavingWork = visit(second, visited, leaving.signal)
  await first.offer(some(300, 300))
  await until(() => second.ownedShards.length > 0, 'the second got no part')
  await until(() => first.ownedShards.length + second.ownedShards.length === 12, 'not every shard had an owner')
  await second.offer(some(600, 300))

  leaving.abort()
  await leavingWork
  members.pop()
  await second[Symbol.asyncDispose]()
  await first.offer(some(900, 100))
  await until(() => first.ownedShards.length === 12, 'the first did not get all back')
  await until(() => first.finished(), 'the crawl did not end')
  ending.abort()
  await Promise.all(working)
  assert.ok((await watching) > 10)
  assert.equal(visited.size, 1000)
  assert.equal(Math.max(...visited.values()), 1)
  assert.deepEqual(await first.counts(), { admitted: 1000, queued: 0, leased: 0, done: 1000, excluded: 0, dead: 0 })
  await first[Symbol.asyncDispose]()
})

test('a member leases only from the shards that it owns', { skip }, async () => {
  await using crawl = await joinCrawl(newPlace(), 0)
  const members = [await crawl.open(), await crawl.open()]
  await until(() => members.every(({ ownedShards }) => ownedShards.length > 0), 'one has no part')
  await until(() => members.flatMap(({ ownedShards }) => ownedShards).length === 12, 'not every shard had an owner')
  await members[0]!.offer(some(0, 80))
  await arrived(members[0]!)
  const hosts = await Promise.all(
    members.map(async (member) => {
      const all: HostKey[] = []
      for (let n = 0; n < 10; n++) all.push(...(await member.lease(20, 1)).leases.map(({ host }) => host))
      return all
    }),
  )
  assert.equal(new Set(hosts.flat()).size, 40)
  for (const [index, member] of members.entries())
    for (const host of hosts[index]!) assert.ok(member.ownedShards.includes(member.shardOf(host)), host)
  for (const member of members) await member[Symbol.asyncDispose]()
})

test('a host whose shard has passed on gets no further URLs, and its lease ends as it should', { skip }, async () => {
  await using crawl = await joinCrawl(newPlace(), 0)
  const first = await crawl.open()
  await first.offer(some(0, 400))
  await arrived(first)
  const leases = []
  for (let n = 0; n < 10; n++) leases.push(...(await first.lease(20, 1)).leases)
  const second = await crawl.open()
  await until(() => second.ownedShards.length > 0, 'the second got no part')
  const passed = leases.find(({ host }) => second.ownedShards.includes(second.shardOf(host)))
  const kept = leases.find(({ host }) => first.ownedShards.includes(first.shardOf(host)))
  const renewals = await Promise.all([first.renew(passed!, 5), first.renew(kept!, 5)])
  assert.deepEqual(
    renewals.map((renewed) => (renewed === 'lease-lost' ? renewed : renewed.requests.length)),
    [0, 5],
  )
  const stolen = (await second.lease(20, 5)).leases.filter(({ host }) => host === passed!.host)
  assert.deepEqual(stolen, [], 'it has a holder')
  assert.equal(await first.settle(passed!, [{ url: passed!.requests[0]!.url, kind: 'done' }]), 'settled')
  await first.release(passed!, { touchedMsAgo: 0, pace: passed!.pace })
  await until(async () => {
    const { leases } = await second.lease(20, 1)
    return leases.some(({ host }) => host === passed!.host)
  }, 'the new owner did not get the host')
  for (const member of [first, second]) await member[Symbol.asyncDispose]()
})

test('a member that is killed loses nothing: its shards pass on, its leases expire', { skip }, async () => {
  const place = newPlace({ leaseMs: 1000 })
  await using crawl = await joinCrawl(place, 0)
  await using survivor = await crawl.open()
  const file = fileURLToPath(new URL('./dying-member.fixture.ts', import.meta.url))
  const doomed = fork(file, [JSON.stringify(place)])
  await survivor.offer(some(0, 400))
  await until(async () => {
    const [{ held, owned }] = (await once(doomed, 'message')) as [{ held: number; owned: number }]
    return held > 3 && owned > 0
  }, 'the other member got nothing')
  await survivor.offer(some(400, 100))
  doomed.kill('SIGKILL')
  await once(doomed, 'exit')
  await survivor.offer(some(500, 100))
  const visited = new Map<CanonicalUrl, number>()
  const ending = new AbortController()
  const working = visit(survivor, visited, ending.signal)
  await until(() => survivor.finished(), 'the crawl did not end')
  ending.abort()
  await working
  assert.equal(survivor.ownedShards.length, 12)
  assert.equal(visited.size, 600)
  assert.equal((await survivor.counts()).done, 600)
})
