import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import fc from 'fast-check'
import { HeldBytes, type Receiver } from './held-bytes.ts'

const piece = 64 * 1024

class Answer implements Receiver {
  isPaused = false
  pause() {
    this.isPaused = true
  }
  resume() {
    this.isPaused = false
  }
}

describe('held bytes', () => {
  test('over the limit answers wait, and go on when what was held is released', async () => {
    const held = new HeldBytes(2 * piece)
    const [first, second] = [new Answer(), new Answer()]
    held.begin(first)
    held.add(first, piece)
    held.complete(first, piece)
    held.begin(second)
    assert.equal(second.isPaused, false, 'there is room for one piece')
    held.add(second, piece)
    assert.equal(second.isPaused, true)
    held.release(piece)
    await nextTurn()
    assert.equal(second.isPaused, false)
  })

  test('when nothing complete is left to be released, the oldest goes on, and only that', async () => {
    const held = new HeldBytes(piece)
    const [first, second] = [new Answer(), new Answer()]
    held.begin(first)
    held.begin(second)
    held.add(first, piece)
    assert.deepEqual([first.isPaused, second.isPaused], [false, true])
    held.add(first, 5 * piece)
    assert.equal(first.isPaused, false)
    held.complete(first, 6 * piece)
    await nextTurn()
    assert.equal(second.isPaused, true, 'the first one must be stored first')
    held.release(6 * piece)
    await nextTurn()
    assert.equal(second.isPaused, false)
  })

  test('an answer that fails is held no longer, and lets others go on', async () => {
    const held = new HeldBytes(piece)
    const [first, second] = [new Answer(), new Answer()]
    held.begin(first)
    held.begin(second)
    held.drop(first)
    held.drop(first)
    await nextTurn()
    assert.equal(second.isPaused, false)
    assert.equal(held.bytes, 0)
  })

  test('whatever order answers come and are stored in, all come to their end within the limit and one body', async () => {
    const bodies = fc.array(fc.integer({ min: 1, max: 12 }), { minLength: 1, maxLength: 30 })
    await fc.assert(
      fc.asyncProperty(
        bodies,
        fc.integer({ min: 1, max: 20 }),
        fc.infiniteStream(fc.nat()),
        async (pieces, limit, chance) => {
          const held = new HeldBytes(limit * piece)
          const coming = pieces.map((left) => ({ answer: new Answer(), left, size: left * piece }))
          const stored: number[] = []
          const largest = Math.max(...pieces) * piece
          for (const { answer } of coming) held.begin(answer)
          for (let steps = 0; coming.length > 0 || stored.length > 0; steps++) {
            assert.ok(steps < 5000, 'it stands still')
            const open = coming.filter(({ answer }) => !answer.isPaused)
            const next = chance.next().value
            const one = open[next % open.length]
            if (stored.length > 0 && (!one || next % 3 === 0)) {
              held.release(stored.shift()!)
            } else if (one) {
              held.add(one.answer, piece)
              if (--one.left === 0) {
                held.complete(one.answer, one.size)
                stored.push(one.size)
                coming.splice(coming.indexOf(one), 1)
              }
            }
            assert.ok(held.bytes <= limit * piece + largest, `${held.bytes / piece} of ${limit}`)
            await nextTurn()
          }
          assert.equal(held.bytes, 0)
        },
      ),
      { numRuns: 60 },
    )
  })
})
