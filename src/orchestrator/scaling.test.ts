import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { decideScale, type Load, type ScalingState, unscaled } from './scaling.ts'
import { scalingConfig } from './scaling-config.ts'

const rules = scalingConfig.parse({ minWorkers: 1, maxWorkers: 20 })
const quiet: Load = {
  ...{ workers: 4, hasWork: true, cpuShare: 0.7, memoryShare: 0.3 },
  ...{ servedHosts: 400, waitingHosts: 0, hostsOfFull: null },
}
const decide = (load: Partial<Load>, state = unscaled, now = 0) => decideScale({ ...quiet, ...load }, state, rules, now)

test('a load that the workers bear changes nothing', () => {
  const { wanted, reasons } = decide({})
  assert.equal(wanted, 4)
  assert.match(reasons.join(), /CPU 70 %/)
})

test('twice the hosts that workers can hold ask for twice the workers, and say why', () => {
  const { wanted, reasons } = decide({ waitingHosts: 400, hostsOfFull: 100 })
  assert.equal(wanted, 8)
  assert.match(reasons.join(), /400 hosts wait, 400 are served by 4 workers/)
})

test('busy processors ask for more, though nobody waits', () => {
  assert.equal(decide({ cpuShare: 0.95 }).wanted, 6)
})

test('a long queue that politeness holds back asks for nobody', () => {
  assert.equal(decide({ workers: 1, servedHosts: 1, cpuShare: 0.05 }).wanted, 1)
})

test('growth waits for the cool-down, and says so', () => {
  const first = decide({ waitingHosts: 400, hostsOfFull: 100 })
  const second = decide({ workers: 8, servedHosts: 800, waitingHosts: 800, hostsOfFull: 100 }, first.state, 10_000)
  assert.equal(second.wanted, 8)
  assert.match(second.reasons.join(), /waits 50 s/)
  assert.equal(
    decide({ workers: 8, servedHosts: 800, waitingHosts: 800, hostsOfFull: 100 }, second.state, 60_000).wanted,
    16,
  )
})

test('workers leave only when fewer were enough for the whole cool-down', () => {
  let state: ScalingState = unscaled
  const low = { cpuShare: 0.1, servedHosts: 10 }
  for (let now = 0; now < 300_000; now += 5000) {
    const { wanted, state: after } = decide(low, state, now)
    assert.equal(wanted, 4, `at ${now}`)
    state = after
  }
  assert.equal(decide(low, state, 300_000).wanted, 2)
  const moment = decide({ cpuShare: 0.9 }, state, 296_000)
  assert.equal(moment.wanted, 5)
  assert.equal(decide(low, moment.state, 300_000).wanted, 5)
})

test('workers that were asked for and are still on their way are neither taken back nor asked for twice', () => {
  const { state } = decide({ waitingHosts: 400, hostsOfFull: 100 })
  const soon = decide({ waitingHosts: 400, hostsOfFull: 100 }, state, 5000)
  assert.equal(soon.wanted, 8)
  assert.equal(decide({ waitingHosts: 400, hostsOfFull: 100 }, soon.state, 100_000).wanted, 8)
})

test('hosts that wait at one worker while another has room ask for nobody', () => {
  assert.equal(decide({ workers: 2, servedHosts: 100, waitingHosts: 100, hostsOfFull: 100 }).wanted, 2)
})

test('limits hold whatever is there: too many leave, too few are joined at once', () => {
  assert.equal(decide({ workers: 30 }).wanted, 20)
  assert.equal(decide({ workers: 0, servedHosts: 0 }).wanted, 1)
  assert.match(decide({ workers: 20, cpuShare: 1 }).reasons.join(), /never more than 20/)
})

test('no crawl runs: as few as may be, after the cool-down', () => {
  const idle = { hasWork: false, cpuShare: 0, servedHosts: 0, workers: 2 }
  const { state } = decide(idle)
  assert.equal(decide(idle, state, 300_000).wanted, 1)
})

/** A fleet in which each worker bears 100 hosts; those that none can take wait. */
function simulate(demandAt: (now: number) => number, untilMs: number) {
  let [workers, state] = [1, unscaled]
  const changes: { at: number; from: number; to: number }[] = []
  for (let now = 0; now <= untilMs; now += 5000) {
    const demand = demandAt(now)
    const servedHosts = Math.min(demand, workers * 100)
    const cpuShare = (0.7 * servedHosts) / (workers * 100)
    const waitingHosts = demand - servedHosts
    const load = {
      ...{ workers, hasWork: true, cpuShare, memoryShare: 0.2, servedHosts, waitingHosts },
      hostsOfFull: waitingHosts > 0 ? 100 : null,
    }
    const decision = decideScale(load, state, rules, now)
    if (decision.wanted !== workers) changes.push({ at: now, from: workers, to: decision.wanted })
    ;[workers, state] = [decision.wanted, decision.state]
  }
  return { workers, changes }
}

test('load that doubles is followed within the cool-down, and the number of workers never swings back', () => {
  const { workers, changes } = simulate((now) => (now < 600_000 ? 400 : 800), 1_800_000)
  assert.ok(workers >= 8 && workers <= 10, String(workers))
  assert.ok(changes.every(({ from, to }) => to > from))
  const doubled = changes.filter(({ at }) => at >= 600_000)
  assert.ok(doubled.at(-1)!.at <= 600_000 + 2 * rules.upCoolDownMs, JSON.stringify(changes))
})

test('whatever the load, workers stay within their limits, and no change comes before its cool-down', () => {
  const loads = fc.array(fc.nat(5000), { minLength: 1, maxLength: 200 })
  fc.assert(
    fc.property(loads, (demands) => {
      const { changes } = simulate((now) => demands[(now / 5000) % demands.length]!, 1_000_000)
      for (const [i, { at, from, to }] of changes.entries()) {
        assert.ok(to >= rules.minWorkers && to <= rules.maxWorkers)
        if (i > 0) assert.ok(at - changes[i - 1]!.at >= (to > from ? rules.upCoolDownMs : rules.downCoolDownMs))
      }
    }),
    { numRuns: 100 },
  )
})

test('load that swings faster than the cool-down does not make workers come and go', () => {
  const { changes } = simulate((now) => ((now / 60_000) % 2 < 1 ? 800 : 300), 3_600_000)
  assert.ok(
    changes.every(({ from, to }) => to > from),
    JSON.stringify(changes),
  )
})
