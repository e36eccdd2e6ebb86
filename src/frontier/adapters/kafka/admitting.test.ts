import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Bell } from '../../../bell.ts'
import { systemClock } from '../../../clock.ts'
import { Lane, type Taken } from '../../../engines/kafka/lane.ts'
import { bands } from '../../bands.ts'
import type { Band, Candidate } from '../../frontier.ts'
import { Admitting } from './admitting.ts'
import { encodeCandidate } from './candidate-letter.ts'
import { candidate } from './test-kafka-frontier.ts'

const topics = {
  high: { name: 'high', partitions: 1 },
  medium: { name: 'medium', partitions: 1 },
  low: { name: 'low', partitions: 1 },
}

/** Partitions that hold so many letters of each band, and a frontier that notes what it is offered. */
function setUp(lettersOfEach: number, queued = 0) {
  const bell = new Bell()
  const lanes = new Map(bands.map((band) => [band as string, laneOf(band, lettersOfEach)]))
  const offered: Candidate[] = []
  const state = { queued, failure: undefined as Error | undefined, synced: 0, handled: 0, countsAsked: 0 }
  const admitting = new Admitting({
    ...{ topics, bandWeights: [70, 20, 10], plentyUrls: 1000, clock: systemClock(), onAdmitted: () => {} },
    reader: {
      waiting: (topic) => lanes.get(topic)!.waiting,
      take: (topic, max) => lanes.get(topic)!.take(max),
      handled(taken: readonly Taken[]) {
        assert.equal(state.synced, offered.length, 'only what is safe is acknowledged')
        state.handled += taken.length
      },
      changed: (signal) => bell.heard(signal),
    },
    inner: {
      async offer(candidates) {
        if (state.failure) throw state.failure
        offered.push(...candidates)
        return candidates.map(() => 'admitted')
      },
      async sync() {
        state.synced = offered.length
      },
      async counts() {
        state.countsAsked++
        return { admitted: 0, queued: state.queued, leased: 0, done: 0, excluded: 0, dead: 0 }
      },
    },
  })
  return { admitting, offered, state, bell }
}

function laneOf(band: Band, letters: number): Lane {
  const lane = new Lane(band, 0, 0n, 0n)
  const all = Array.from({ length: letters }, (_, n) => encodeCandidate(candidate('a.test', `${band}${n}`, band)))
  lane.receive(
    all.map((value, n) => ({ offset: BigInt(n), key: 'a.test', value })),
    BigInt(letters),
  )
  return lane
}

const turns = async (count: number) => {
  for (let n = 0; n < count; n++) await new Promise(setImmediate)
}

test('bands are admitted 70 : 20 : 10 while all have something, and the rest follows', async () => {
  const { admitting, offered, state } = setUp(700)
  await turns(20)
  await admitting[Symbol.asyncDispose]()
  const first = offered.slice(0, 500).map(({ band }) => band)
  assert.deepEqual(
    bands.map((band) => first.filter((one) => one === band).length),
    [350, 100, 50],
  )
  assert.equal(offered.length, 2100)
  assert.equal(state.handled, 2100)
})

test('while there is plenty to do, the rest waits; who looks for hosts in vain gets more', async () => {
  const { admitting, offered, state } = setUp(700, 2000)
  await using _ = admitting
  // It has begun before anybody looked for hosts.
  admitting.isHungry = false
  await turns(5)
  assert.equal(offered.length, 500)
  assert.equal(state.countsAsked, 1)
  admitting.isHungry = true
  while (offered.length < 2100) await turns(5)
})

test('what could not be admitted is not acknowledged, and the failure is told to whoever leases', async () => {
  const { admitting, state } = setUp(10)
  state.failure = new Error('Redis is away')
  await turns(5)
  assert.throws(() => admitting.throwFailure(), /Redis is away/)
  assert.equal(state.handled, 0)
  await admitting[Symbol.asyncDispose]()
})
