import assert from 'node:assert/strict'
import { test } from 'node:test'
import { leaderLock } from '../../src/fleet/registry/leader.ts'
import { differences } from '../crawl/expectation.ts'
import { expectedOf, impatient, startWeb } from '../crawl/remote-crawl.ts'
import { sharedEngines, skipWithout, TestFleet, withRedis } from './fleet-of-web.ts'
import type { FleetProcess } from './fleet-process.ts'

const web = { seed: 'leader', hosts: [{ character: 'slow', name: 'slow', count: 6, pages: 150, gapMs: 20 }] } as const

test('the leader is killed while a crawl runs: another leads within 10 s, in a later term, and the crawl is exact', {
  skip: skipWithout(withRedis),
}, async (t) => {
  await using started = await startWeb(web)
  const settings = { ...impatient, 'politeness.delayMs': 100, 'server.listen': '127.0.0.1:0', 'worker.index': false }
  await using fleet = await TestFleet.start(started, sharedEngines(withRedis), settings)
  const { clock, redis, engines } = fleet.fleet
  const lock = leaderLock(redis, engines.redis.prefix, 'looker', clock)
  const leaderAfter = async (term: number) => {
    for (;;) {
      const leader = await lock.leader()
      if (leader && leader.term > term) return leader
      await clock.sleep(50)
    }
  }
  const first = fleet.orchestrator('--id', 'first')
  const before = await leaderAfter(0)
  assert.equal(before.id, 'first')
  const second = fleet.orchestrator('--id', 'second')
  const workers = [fleet.worker(), fleet.worker()]
  while (!second.said.includes('looks after the fleet')) await clock.sleep(50)
  await first.kill()
  const killedAt = clock.now()
  const after = await leaderAfter(before.term)
  const tookMs = clock.now() - killedAt
  t.diagnostic(`taken over after ${tookMs} ms`)
  assert.equal(after.id, 'second')
  assert.ok(tookMs <= 10_000, `${tookMs} ms`)
  const told = await metricsOf(second)
  assert.match(told, /^orbweaver_leads 1$/m)
  assert.match(told, /^orbweaver_worker_visits_total\{worker="[^"]+",outcome="page"\} [1-9]/m)
  assert.match(told, /^orbweaver_crawl_urls\{crawl="web",state="done"\} [1-9]/m)
  assert.match(told, /^orbweaver_scaling_workers 2$/m)
  await fleet.finished()
  await Promise.all([...workers, second].map((member) => member.stop()))
  assert.match(second.said, /second has left\.$/m)
  await using reader = await fleet.reader()
  assert.deepEqual(await differences(reader, await expectedOf(started)), [])
})

/** Once its first look at the load is done. */
async function metricsOf({ said }: FleetProcess): Promise<string> {
  const [url] = /http:\/\/127\.0\.0\.1:\d+/.exec(said)!
  for (;;) {
    const text = await (await fetch(`${url}/metrics`)).text()
    if (/^orbweaver_scaling_workers 2$/m.test(text) && text.includes('orbweaver_worker_visits_total')) return text
    await new Promise((resolve) => setTimeout(resolve, 200))
  }
}
