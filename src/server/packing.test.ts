import assert from 'node:assert/strict'
import { test } from 'node:test'
import { gunzipSync } from 'node:zlib'
import { packedAnswer } from './packing.ts'

const answer = { history: Array.from({ length: 1000 }, (_, at) => ({ at, pagesPerSecond: at / 7 })) }
const text = JSON.stringify(answer)

test('a large answer is compressed, once for all who ask for it', async () => {
  const first = packedAnswer(answer, text, 'gzip, deflate, br')
  assert.equal(packedAnswer(answer, text, 'br, gzip'), first)
  assert.equal(gunzipSync(await first!).toString(), text)
})

test('a small answer, and one for a reader that cannot take it, stay as they are', () => {
  assert.equal(packedAnswer({}, '{}', 'gzip'), undefined)
  for (const accepted of [undefined, '', 'identity', 'br'])
    assert.equal(packedAnswer(answer, text, accepted), undefined)
})
