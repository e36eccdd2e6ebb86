import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { test } from 'node:test'
import { leaderLock } from '../../src/fleet/registry/leader.ts'
import { scratchFolder } from '../crawl/crawl-of-web.ts'
import { differences } from '../crawl/expectation.ts'
import { expectedOf, impatient, startWeb } from '../crawl/remote-crawl.ts'
import { sharedEngines, skipWithout, TestFleet, withRedis } from './fleet-of-web.ts'
import type { FleetProcess } from './fleet-process.ts'

const web = { seed: 'pool', hosts: [{ character: 'slow', name: 'slow', count: 4, pages: 200, gapMs: 20 }] } as const

/** A pool of two workers, whoever leads. */
const pooled = {
  ...impatient,
  'politeness.delayMs': 150,
  'worker.index': false,
  'worker.threads': 0,
  'frontier.leaseMs': 6000,
  'server.listen': '127.0.0.1:0',
  'orchestrator.scaling.pool': 'local',
  'orchestrator.scaling.minWorkers': 2,
  'orchestrator.scaling.maxWorkers': 2,
  'orchestrator.scaling.everyMs': 500,
}

const aliveIn = async ({ fleet }: TestFleet) => (await fleet.workers.list()).filter(({ alive }) => alive)

async function until(fleet: TestFleet, members: readonly FleetProcess[], isSo: () => Promise<boolean>): Promise<void> {
  while (!(await isSo())) {
    for (const member of members) assert.ok(member.isAlive, member.said)
    await fleet.fleet.clock.sleep(100)
  }
}

test('a leader that slept comes back: its workers leave, those of the new leader take over, and the crawl is exact', {
  skip: skipWithout(withRedis),
}, async (t) => {
  await using started = await startWeb(web)
  await using fleet = await TestFleet.start(started, sharedEngines(withRedis), pooled)
  const { clock, redis, engines } = fleet.fleet
  const lock = leaderLock(redis, engines.redis.prefix, 'looker', clock)
  const first = fleet.orchestrator('--id', 'first')
  const both = [first]
  await until(fleet, both, async () => (await aliveIn(fleet)).length === 2)
  const before = (await aliveIn(fleet)).map(({ id }) => id)
  const second = fleet.orchestrator('--id', 'second')
  both.push(second)
  await until(fleet, both, async () => second.said.includes('looks after the fleet'))
  first.pause()
  await until(fleet, both, async () => (await lock.leader())?.id === 'second')
  await until(fleet, both, async () => second.said.includes('leads the fleet (term'))
  // They are counted by the new leader, so that none are started beside them.
  assert.deepEqual((await aliveIn(fleet)).map(({ id }) => id).toSorted(), before.toSorted())
  first.goOn()
  await until(fleet, both, async () => {
    const alive = (await aliveIn(fleet)).map(({ id }) => id)
    return alive.length === 2 && alive.every((id) => !before.includes(id))
  })
  assert.match(first.said, /second leads the fleet: 2 workers of the pool of first leave/)
  t.diagnostic(`${(await fleet.fleet.crawls.get('web'))!.state} when the workers had changed`)
  await fleet.finished()
  await using reader = await fleet.reader()
  assert.deepEqual(await differences(reader, await expectedOf(started)), [])
})

test('a worker that hangs is told of by a signed post of the leader alone, and replaced; nothing is lost', {
  skip: skipWithout(withRedis),
}, async () => {
  using scratch = scratchFolder()
  const secretFile = join(scratch.path, 'secret')
  writeFileSync(secretFile, 'hush')
  await using receiver = await startReceiver()
  await using started = await startWeb(web)
  await using fleet = await TestFleet.start(started, sharedEngines(withRedis), {
    ...pooled,
    'orchestrator.scaling.replaceAfterMs': 12_000,
    'monitor.alerts.everyMs': 1000,
    'monitor.alerts.forMs': { 'worker-lost': 0 },
    'monitor.alerts.webhookUrls': [receiver.url],
    'monitor.alerts.webhookPrivate': true,
    'monitor.alerts.webhookSecretFile': secretFile,
  })
  const members = [fleet.orchestrator('--id', 'first'), fleet.orchestrator('--id', 'second')]
  await until(fleet, members, async () => (await aliveIn(fleet)).length === 2)
  const [sick, well] = await aliveIn(fleet)
  process.kill(sick!.pid, 'SIGSTOP')
  await until(fleet, members, async () => receiver.letters.length > 0)
  await until(fleet, members, async () => (await aliveIn(fleet)).filter(({ id }) => id !== sick!.id).length === 2)
  assert.ok((await aliveIn(fleet)).some(({ id }) => id === well!.id))
  assert.throws(() => process.kill(sick!.pid, 0), { code: 'ESRCH' })
  assert.match(
    members.map(({ said }) => said).join(),
    new RegExp(`worker ${sick!.id} has been silent for 1\\d s and is replaced`),
  )
  await fleet.finished()
  const firing = receiver.letters.filter(({ letter }) => letter.kind === 'firing' && letter.alert === 'worker-lost')
  assert.equal(firing.length, 1)
  for (const { letter, body, signature } of receiver.letters) {
    const [, seconds, hex] = /^t=(\d+),v1=([0-9a-f]{64})$/.exec(signature)!
    assert.equal(hex, createHmac('sha256', 'hush').update(`${seconds}.${body}`).digest('hex'))
    assert.match(letter.text, /worker/i)
  }
  await using reader = await fleet.reader()
  assert.deepEqual(await differences(reader, await expectedOf(started)), [])
})

interface Letter {
  readonly kind: string
  readonly alert: string
  readonly text: string
}

/** A web server that keeps what is posted to it. */
async function startReceiver() {
  const letters: { readonly letter: Letter; readonly body: string; readonly signature: string }[] = []
  const server = createServer(async (request, response) => {
    const body = (await request.setEncoding('utf8').toArray()).join('')
    letters.push({ letter: JSON.parse(body), body, signature: String(request.headers['x-orbweaver-signature']) })
    response.writeHead(204).end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/alerts`,
    letters,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
