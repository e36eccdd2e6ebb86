import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  checkId,
  chunkKey,
  dayOfSegment,
  indexOfSegment,
  keyBefore,
  parseChunk,
  parseSegment,
  segmentName,
} from './segment-name.ts'

const at = Date.UTC(2025, 0, 31, 23, 59, 59)
const segment = segmentName({ crawl: 'news-7', worker: 'host-1.a' }, at, 3, '01abcdef')

test('a segment tells its crawl, day and worker', () => {
  assert.equal(segment, 'crawl=news-7/date=2025-01-31/orbweaver-20250131235959-00003-01abcdef-host-1.a.warc.gz')
  assert.deepEqual(parseSegment(segment), { crawl: 'news-7', worker: 'host-1.a' })
  assert.equal(dayOfSegment(segment), '2025-01-31')
  assert.equal(indexOfSegment(segment), segment.replace('.warc.gz', '.cdxj'))
})

test('a chunk tells its segment and bytes', () => {
  const chunk = { segment, first: 5, end: 2 ** 40 }
  assert.deepEqual(parseChunk(chunkKey(chunk)), chunk)
})

test('chunks that end behind an offset sort behind its key, others before', () => {
  const key = keyBefore(segment, 1000)
  assert.ok(chunkKey({ segment, first: 0, end: 1000 }) < key)
  assert.ok(chunkKey({ segment, first: 0, end: 1001 }) > key)
  assert.ok(chunkKey({ segment, first: 999, end: 20_000 }) > key)
})

test('names that somebody made up are no names', () => {
  for (const name of [
    '',
    '../x.warc.gz',
    `../${segment}`,
    `${segment}/x`,
    `${segment}\n`,
    segment.replace('news-7', 'a/b'),
  ])
    assert.equal(parseSegment(name), undefined)
  for (const name of ['', segment, `growing/${segment}/1-0`, chunkKey({ segment, first: 7, end: 7 })])
    assert.equal(parseChunk(name), undefined)
})

test('an id that cannot stand in a key is refused by name', () => {
  for (const id of ['', 'a/b', '.hidden', 'a b', 'x'.repeat(101)])
    assert.throws(() => checkId('worker', id), { name: 'UsageError', message: /cannot name a worker/ })
})
