import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fetchedPage, type StreamUnderTest, streamConformance } from '../../stream.conformance.ts'
import { MemoryStream } from './memory-stream.ts'

streamConformance('memory', async (): Promise<StreamUnderTest> => {
  const stream = new MemoryStream()
  return {
    open: async () => stream,
    // Workers of one process die together with what the stream remembers: the nearest to it is one that fails.
    async dieWith(count) {
      let begun = 0
      const full = Promise.withResolvers<void>()
      const handle = async () => {
        if (++begun === count) full.resolve()
        await full.promise
        throw new Error('dead')
      }
      const taken = stream.take(handle, { atOnce: count, signal: new AbortController().signal })
      await assert.rejects(taken, /dead/)
    },
    async [Symbol.asyncDispose]() {},
  }
})

test('whoever puts waits while nobody takes', async () => {
  const stream = new MemoryStream(2)
  await stream.put(fetchedPage('a.test', 0))
  await stream.put(fetchedPage('a.test', 1))
  let isIn = false
  const third = stream.put(fetchedPage('a.test', 2)).then(() => {
    isIn = true
  })
  await new Promise(setImmediate)
  assert.equal(isIn, false)
  const ending = new AbortController()
  const taken = stream.take(async () => {}, { atOnce: 1, signal: ending.signal })
  await third
  ending.abort()
  await taken
})
