import assert from 'node:assert/strict'
import { test } from 'node:test'
import { SharedAnswers } from './shared-answers.ts'

function sharing() {
  const clock = { at: 0, now: () => clock.at, sleep: async () => {} }
  let made = 0
  const answers = new SharedAnswers(clock)
  return { clock, answers, ask: (question: string) => answers.to(question, async () => ++made) }
}

test('within a second all are given one answer, to each question its own', async () => {
  const { ask, clock } = sharing()
  assert.deepEqual(await Promise.all([ask('a'), ask('a'), ask('b')]), [1, 1, 2])
  clock.at = 999
  assert.equal(await ask('a'), 1)
  clock.at = 1000
  assert.equal(await ask('a'), 3)
})

test('after a change everything is made anew, also what was being made', async () => {
  const { ask, answers } = sharing()
  const before = ask('a')
  answers.forget()
  assert.equal(await ask('a'), 2)
  assert.equal(await before, 1)
})

test('what failed is asked again', async () => {
  const { answers, ask } = sharing()
  await assert.rejects(
    answers.to('a', () => Promise.reject(new Error('away'))),
    /away/,
  )
  assert.equal(await ask('a'), 1)
})

test('however many questions there are, a thousand answers are kept', async () => {
  const { ask, clock } = sharing()
  for (let n = 0; n < 5000; n++) await ask(`q${n}`)
  assert.equal(await ask('q4999'), 5000)
  assert.equal(await ask('q4000'), 4001)
  assert.equal(await ask('q3999'), 5001)
  clock.at = 5000
  assert.equal(await ask('q4999'), 5002)
})
