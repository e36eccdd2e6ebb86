import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { LatestAnswers } from './latest-answers.ts'

function answers(ask: (crawl: string) => Promise<number>) {
  const time = { now: 0 }
  const faults: string[] = []
  const latest = new LatestAnswers({
    ...{ ask, askAgainMs: 1000, clock: { now: () => time.now } },
    onFault: (crawl, error) => void faults.push(`${crawl}: ${(error as Error).message}`),
  })
  return { latest, time, faults }
}

test('nobody waits for an answer, and it is asked for again when it is old', async () => {
  let asked = 0
  const { latest, time } = answers(async () => ++asked)
  assert.equal(latest.of('news'), null)
  await nextTurn()
  assert.deepEqual([latest.of('news'), latest.of('news')], [1, 1])
  time.now = 1001
  latest.of('news')
  await nextTurn()
  assert.equal(latest.of('news'), 2)
})

test('a question that has no answer makes it unknown, and is told once', async () => {
  let isAway = false
  const { latest, time, faults } = answers(async () => {
    if (isAway) throw new Error('away')
    return 1
  })
  const look = async () => {
    time.now += 2000
    latest.of('news')
    await nextTurn()
    return latest.of('news')
  }
  assert.equal(await look(), 1)
  isAway = true
  assert.deepEqual([await look(), await look()], [null, null])
  assert.deepEqual(faults, ['news: away'])
  isAway = false
  assert.equal(await look(), 1)
})

test('crawls that are gone leave nothing', async () => {
  let asked = 0
  const { latest } = answers(async () => ++asked)
  latest.of('news')
  await latest.keepOnly(new Set())
  assert.equal(latest.of('news'), null)
})
