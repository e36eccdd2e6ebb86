import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Frontier } from '../frontier/frontier.ts'
import type { StreamLag } from '../stream/stream.ts'
import { endingWith } from './ending-with.ts'

function finished(lags: readonly StreamLag[], isEmpty: boolean): Promise<boolean> {
  const looks = [...lags]
  const frontier: Partial<Frontier> = { finished: async () => isEmpty }
  return endingWith({ lag: async () => looks.shift()! }, frontier as Frontier).finished()
}

test('a crawl ends when nothing is queued and no page is on its way to be parsed', async () => {
  const idle = { waiting: 0, put: 7 }
  assert.equal(await finished([idle, idle], true), true)
  assert.equal(await finished([idle, idle], false), false)
  assert.equal(await finished([{ waiting: 1, put: 7 }, idle], true), false)
})

test('a page that was put and parsed between the two looks may have brought links', async () => {
  assert.equal(
    await finished(
      [
        { waiting: 0, put: 7 },
        { waiting: 0, put: 8 },
      ],
      true,
    ),
    false,
  )
  assert.equal(
    await finished(
      [
        { waiting: 0, put: 7 },
        { waiting: 1, put: 8 },
      ],
      true,
    ),
    false,
  )
})
