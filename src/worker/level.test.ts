import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { firstLevel, type Level, type Measured, nextLevel } from './level.ts'

const bounds = { least: 16, most: 10_000 }

interface Plant {
  /** Answers a second that our own machine can take, whatever is asked for. */
  readonly capacity: number
  readonly latencyMs: number
  /** Requests that there are to make at the same time. */
  readonly demand?: number
  readonly busyAt?: (inFlight: number) => number
  readonly memoryAt?: (inFlight: number) => number
  readonly failedShareAt?: (inFlight: number) => number
  /** Rates vary by so much to either side. */
  readonly noise?: number
}

/** What the levels of a run were, and what each brought as a share of the capacity. */
function drive(plant: Plant, steps: number, from: Level = firstLevel(128)): { levels: Level[]; shares: number[] } {
  const { capacity, latencyMs, demand = Number.POSITIVE_INFINITY, noise = 0 } = plant
  const chance = seededChance()
  const levels: Level[] = []
  const shares: number[] = []
  let level = from
  for (let i = 0; i < steps; i++) {
    const inFlight = Math.min(level.limit, demand)
    const ended = Math.min(capacity, (inFlight * 1000) / latencyMs) * (1 + noise * (2 * chance() - 1))
    const failedShare = plant.failedShareAt?.(inFlight) ?? 0
    const elapsedMs = Math.max(500, (level.limit * 1000) / ended)
    levels.push(level)
    shares.push((ended * (1 - failedShare)) / capacity)
    const measured: Measured = {
      elapsedMs,
      answered: (ended * (1 - failedShare) * elapsedMs) / 1000,
      failed: (ended * failedShare * elapsedMs) / 1000,
      wasFull: demand > level.limit,
      busyShare: plant.busyAt?.(inFlight) ?? 0.5,
      memoryShare: plant.memoryAt?.(inFlight) ?? 0.1,
    }
    level = nextLevel(level, measured, bounds)
  }
  return { levels, shares }
}

function seededChance(): () => number {
  let state = 7
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return state / 2 ** 32
  }
}

const mean = (numbers: readonly number[]) => numbers.reduce((sum, n) => sum + n, 0) / numbers.length
const limits = (levels: readonly Level[]) => levels.map(({ limit }) => limit)

describe('the level of concurrency', () => {
  test('climbs quickly to what is useful, and not far beyond', () => {
    for (const [capacity, latencyMs] of [
      [300, 20],
      [1000, 500],
      [2000, 900],
      [8000, 900],
    ] as const) {
      const { levels, shares } = drive({ capacity, latencyMs }, 60)
      const useful = Math.max(bounds.least, (capacity * latencyMs) / 1000)
      assert.ok(mean(shares.slice(10)) > 0.95, `${mean(shares.slice(10))} of ${capacity}`)
      for (const limit of limits(levels).slice(10))
        assert.ok(limit < 2.5 * Math.max(useful, 64), `${limit} where ${useful} are useful`)
    }
  })

  test('noise neither drives it away nor makes it swing', () => {
    // As many requests are counted as there are slots: with 500 of them chance makes a difference of some 5 %.
    const { levels, shares } = drive({ capacity: 1000, latencyMs: 500, noise: 0.1 }, 300)
    assert.ok(mean(shares.slice(10)) > 0.9)
    const settled = limits(levels).slice(20)
    assert.ok(
      Math.min(...settled) > 300 && Math.max(...settled) <= 2.5 * 500,
      `${Math.min(...settled)} to ${Math.max(...settled)}`,
    )
    const changes = settled.filter((limit, i) => i > 0 && limit !== settled[i - 1]).length
    assert.ok(changes < settled.length / 3, `${changes} changes in ${settled.length} measurements`)
  })

  test('more than a busy thread can do is not asked of it', () => {
    const busyAt = (inFlight: number) => Math.min(1, inFlight / 200)
    const { levels, shares } = drive({ capacity: 400, latencyMs: 500, busyAt }, 100)
    assert.ok(Math.max(...limits(levels).slice(3)) <= 256)
    assert.ok(mean(shares.slice(20)) > 0.9)
  })

  test('memory that is nearly used up is not filled further, and memory that is used up leads down at once', () => {
    const memoryAt = (inFlight: number) => 0.2 + inFlight / 1000
    const { levels } = drive({ capacity: 10_000, latencyMs: 1000, memoryAt }, 100)
    assert.ok(Math.max(...limits(levels)) <= 1024)
    const settled = limits(levels).slice(20)
    assert.ok(Math.max(...settled) <= 900, `${Math.max(...settled)}`)
    assert.ok(Math.min(...settled) >= 300, `${Math.min(...settled)}`)
  })

  test('requests that fail because there are too many of them lead down', () => {
    const failedShareAt = (inFlight: number) => (inFlight > 1000 ? 1 - 1000 / inFlight : 0)
    const { levels, shares } = drive({ capacity: 5000, latencyMs: 1000, failedShareAt }, 80)
    const settled = limits(levels).slice(15)
    assert.ok(Math.max(...settled) < 1600, `${Math.max(...settled)}`)
    assert.ok(mean(shares.slice(15)) > 0.15, 'a thousand a second of five thousand would be 0.2')
  })

  test('hosts that fail whatever we do change nothing', () => {
    const { levels, shares } = drive({ capacity: 1000, latencyMs: 500, failedShareAt: () => 0.8 }, 60)
    assert.ok(mean(shares.slice(10)) > 0.17)
    assert.ok(Math.min(...limits(levels).slice(10)) >= 350)
  })

  test('a failure of the network as a whole leads down, and its end up again', () => {
    const well = drive({ capacity: 1000, latencyMs: 500 }, 30).levels.at(-1)!
    const broken = drive({ capacity: 1000, latencyMs: 5000, failedShareAt: () => 0.95 }, 3, well).levels.at(-1)!
    assert.ok(broken.limit < well.limit)
    const { shares } = drive({ capacity: 1000, latencyMs: 500 }, 60, broken)
    assert.ok(shares.at(-1)! > 0.9)
  })

  test('a limit that nobody reaches stays as it is', () => {
    const { levels } = drive({ capacity: 1000, latencyMs: 500, demand: 100 }, 50)
    assert.deepEqual(new Set(limits(levels)), new Set([128]))
  })

  test('hosts that become slower get more requests at once', () => {
    const quick = drive({ capacity: 1000, latencyMs: 100 }, 40).levels.at(-1)!
    const { levels, shares } = drive({ capacity: 1000, latencyMs: 2000 }, 120, quick)
    assert.ok(levels.at(-1)!.limit > 1500, `${levels.at(-1)!.limit}`)
    assert.ok(mean(shares.slice(-30)) > 0.9)
  })

  test('it stays within its bounds whatever is measured', () => {
    const share = fc.double({ min: 0, max: 2, noNaN: true })
    const measured = fc.record({
      ...{ elapsedMs: fc.nat(), answered: fc.nat(), failed: fc.nat(), wasFull: fc.boolean() },
      ...{ busyShare: share, memoryShare: share },
    })
    fc.assert(
      fc.property(fc.array(measured, { maxLength: 60 }), (all) => {
        let level = firstLevel(128)
        for (const one of all) {
          level = nextLevel(level, one, bounds)
          assert.ok(Number.isInteger(level.limit) && level.limit >= bounds.least && level.limit <= bounds.most)
        }
      }),
    )
  })
})
