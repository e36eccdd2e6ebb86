import assert from 'node:assert/strict'
import { test } from 'node:test'
import { piecesOf } from './lines.ts'
import { readEvents } from './read-events.ts'
import { readLines } from './read-lines.ts'

const collected = async <T>(values: AsyncIterable<T>): Promise<T[]> => Array.fromAsync(values)

/** A body that arrives in pieces of so many bytes. */
function bodyOf(text: string, bytes: number): ReadableStream<Uint8Array> {
  const all = new TextEncoder().encode(text)
  return new ReadableStream({
    start(controller) {
      for (let at = 0; at < all.length; at += bytes) controller.enqueue(all.subarray(at, at + bytes))
      controller.close()
    },
  })
}

test('lines are the same wherever the pieces are cut, also within a character', async () => {
  for (const bytes of [1, 2, 3, 100])
    assert.deepEqual(await collected(readLines(bodyOf('ä\n\nbé\nc', bytes))), ['ä', '', 'bé', 'c'])
  assert.deepEqual(await collected(readLines(bodyOf('', 1))), [])
})

test('events are the same wherever the pieces are cut, and comments are none', async () => {
  for (const bytes of [1, 7, 100])
    assert.deepEqual(
      await collected(readEvents(bodyOf(': hi\n\nretry: 2000\n\nevent: a\ndata: {"x":\ndata: 1}\n\n', bytes))),
      [{ event: 'a', data: '{"x":\n1}' }],
    )
})

test('values that fill many pieces let others have a turn between them', async () => {
  async function* values() {
    for (let n = 0; n < 100; n++) yield { n, text: 'x'.repeat(10_000) }
  }
  let turns = 0
  const timer = setInterval(() => turns++, 0)
  const pieces = await collected(piecesOf(values()))
  clearInterval(timer)
  assert.equal(pieces.join('').trimEnd().split('\n').length, 100)
  assert.ok(pieces.length > 5, `${pieces.length} pieces`)
  assert.ok(turns > 0)
})

test('nothing is sent for no values', async () => {
  assert.deepEqual(await collected(piecesOf((async function* () {})())), [])
})
