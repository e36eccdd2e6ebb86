import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bandOfLink, Shares } from './bands.ts'

function serve(shares: Shares, times: number, available: (of: number) => boolean): number[] {
  const served = [0, 0, 0]
  for (let n = 0; n < times; n++) {
    const of = shares.next(available)!
    shares.serve(of, 1)
    served[of]!++
  }
  return served
}

test('shares are exact over every hundred', () => {
  const shares = new Shares([70, 20, 10])
  for (let round = 0; round < 3; round++)
    assert.deepEqual(
      serve(shares, 100, () => true),
      [70, 20, 10],
    )
})

test('what is there gets the turns of what is not, which does not catch up later', () => {
  const shares = new Shares([70, 20, 10])
  assert.deepEqual(
    serve(shares, 30, (of) => of > 0),
    [0, 20, 10],
  )
  assert.deepEqual(
    serve(shares, 100, () => true),
    [70, 20, 10],
  )
})

test('nothing there, nobody served', () => {
  assert.equal(
    new Shares([70, 20, 10]).next(() => false),
    undefined,
  )
})

test('from high comes medium, from medium and low comes low', () => {
  assert.deepEqual((['high', 'medium', 'low'] as const).map(bandOfLink), ['medium', 'low', 'low'])
})
