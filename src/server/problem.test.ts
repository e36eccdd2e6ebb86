import assert from 'node:assert/strict'
import { test } from 'node:test'
import { UsageError } from '../config/usage-error.ts'
import { Refusal } from '../orchestrator/refusal.ts'
import { inTime } from './limits.ts'
import { HttpProblem, problemDocument, problemOf } from './problem.ts'

function named(name: string, message: string): Error {
  const error = new Error(message)
  error.name = name
  return error
}

test('what goes wrong has a status that tells the caller what to do', () => {
  for (const [error, status, detail] of [
    [new Refusal('not-found', 'There is none.'), 404, /There is none/],
    [new Refusal('conflict', 'Not now.'), 409, /Not now/],
    [new UsageError('Wrong setting.'), 422, /Wrong setting/],
    [named('EngineAwayError', 'OpenSearch cannot be reached.'), 503, /OpenSearch cannot be reached/],
    [new HttpProblem(418, 'Tea.'), 418, /Tea/],
  ] as const) {
    const problem = problemDocument(problemOf(error), 'urn:uuid:1')
    assert.equal(problem.status, status)
    assert.match(problem.detail, detail)
  }
})

test('what nobody expected tells nothing of itself', () => {
  const { status, detail } = problemDocument(problemOf(new TypeError('secret of the house')), 'urn:uuid:1')
  assert.equal(status, 500)
  assert.doesNotMatch(detail, /secret/)
})

test('who waits for an engine that is away is told in time', async () => {
  await assert.rejects(
    inTime(new Promise(() => {}), 10),
    (error) => error instanceof HttpProblem && error.status === 503,
  )
  assert.equal(await inTime(Promise.resolve(1), 10), 1)
})
