import assert from 'node:assert/strict'
import { test } from 'node:test'
import { virtualClock } from '../../test/crawl/wide-clock.ts'
import { random } from '../../test/web/random.ts'
import { adaptiveSlots, openSlots } from './concurrency.ts'
import { workerConfig } from './config.ts'

const bounds = { least: 16, most: 10_000 }
const idleMachine = () => ({ busyShare: 0.5, memoryShare: 0.1 })

/** Requests without end over slots, in virtual time: each takes its latency, then its turn on one processor. */
async function crawlWorld(world: {
  hosts: number
  latencyMs: readonly [number, number]
  cpuMs: number
  forMs: number
}) {
  const clock = virtualClock()
  const slots = adaptiveSlots(clock, bounds, idleMachine)
  const { next } = random('latencies')
  const [from, to] = world.latencyMs
  const endsAt = clock.now() + world.forMs
  const widths: number[] = []
  let ended = 0
  let processorFreeAt = 0
  async function visitHost() {
    while (clock.now() < endsAt && (await slots.take())) {
      await clock.sleep(from + ((to - from) * next()) / 2 ** 32)
      processorFreeAt = Math.max(processorFreeAt, clock.now()) + world.cpuMs
      await clock.sleep(processorFreeAt - clock.now())
      if (clock.now() > endsAt - world.forMs / 2) ended++
      slots.giveBack(true)
    }
  }
  async function watch() {
    for (; clock.now() < endsAt; await clock.sleep(1000)) widths.push(slots.width)
    slots.close()
  }
  await Promise.all([watch(), ...Array.from({ length: world.hosts }, visitHost)])
  return { perSecond: (ended * 2000) / world.forMs, widths }
}

test('slow hosts are visited by as many at once as keep the processor busy', async () => {
  const { perSecond, widths } = await crawlWorld({ hosts: 4000, latencyMs: [20, 2000], cpuMs: 2, forMs: 120_000 })
  // 500 a second can be done; with 1.01 s of latency that takes some 500 at once.
  assert.ok(perSecond > 450, `${perSecond} a second`)
  const settled = widths.slice(60)
  assert.ok(Math.max(...settled) < 1500 && Math.min(...settled) > 350, settled.join(' '))
})

test('fast hosts need few', async () => {
  const { perSecond, widths } = await crawlWorld({ hosts: 1000, latencyMs: [5, 15], cpuMs: 2, forMs: 60_000 })
  assert.ok(perSecond > 450, `${perSecond} a second`)
  assert.ok(widths.at(-1)! <= 128, widths.join(' '))
})

test('a number that the user gives is kept; without one there are never more than files may be open', () => {
  const clock = virtualClock()
  assert.equal(openSlots(workerConfig.parse({ concurrency: 7 }), clock).width, 7)
  assert.ok(openSlots(workerConfig.parse({}), clock).width >= bounds.least)
})
