import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { FetchedPage, Stream } from '../stream/stream.ts'
import { Letters } from './letters.ts'

test('a message leaves with the group in which its page was archived, not before and not twice', async () => {
  const log: string[] = []
  const stream: Partial<Stream> = {
    put: async ({ crawl }) => void log.push(`put ${crawl}`),
    flush: async () => void log.push('flush'),
  }
  const letters = new Letters(stream as Stream)
  const page = (crawl: string) => ({ crawl }) as FetchedPage
  letters.hold(page('first'))
  const send = letters.take()
  letters.hold(page('second'))
  assert.deepEqual(log, [])
  await send()
  assert.deepEqual(log, ['put first', 'flush'])
  await letters.take()()
  assert.deepEqual(log, ['put first', 'flush', 'put second', 'flush'])
})
