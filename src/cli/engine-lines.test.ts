import assert from 'node:assert/strict'
import { test } from 'node:test'
import { engineNews } from '../monitor/events.ts'
import { tellOfEngines } from './engine-lines.ts'

test('an engine that goes away and comes back is told of once each time', () => {
  const lines: string[] = []
  {
    using _listening = tellOfEngines((line) => lines.push(line))
    engineNews.tell({ engine: 's3', isAway: false, reason: '' })
    for (const reason of ['503', '500']) engineNews.tell({ engine: 's3', isAway: true, reason })
    engineNews.tell({ engine: 'redis', isAway: true, reason: 'connection lost' })
    for (const _ of [1, 2]) engineNews.tell({ engine: 's3', isAway: false, reason: '' })
  }
  engineNews.tell({ engine: 'kafka', isAway: true, reason: 'nobody listens any more' })
  assert.deepEqual(lines, [
    'S3 is away (503): waiting for it.',
    'Redis is away (connection lost): waiting for it.',
    'S3 is back.',
  ])
})
