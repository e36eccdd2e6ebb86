import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Errand } from './errand.ts'

test('asked in any step of its end, it runs once more', async () => {
  for (let steps = 0; steps < 6; steps++) {
    let [runs, ended] = [0, Promise.withResolvers<void>()]
    const errand = new Errand(async () => {
      runs++
      await ended.promise
    })
    void errand.ask()
    const later = ended.promise.then(async () => {
      for (let n = 0; n < steps; n++) await undefined
      await errand.ask()
    })
    ended.resolve()
    await later
    assert.equal(runs, 2, `after ${steps} steps`)
    assert.ok(errand.isIdle)
  }
})

test('it never runs twice at the same time', async () => {
  let [running, most] = [0, 0]
  const errand = new Errand(async () => {
    most = Math.max(most, ++running)
    await new Promise(setImmediate)
    running--
  })
  await Promise.all([errand.ask(), errand.ask(), errand.ask()])
  assert.equal(most, 1)
})
