import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { CpuProfile } from '../../src/bench/cpu-profile.ts'
import { msByPart } from './parts.ts'

const frame = (functionName: string, url = '') => ({ functionName, url })
const profile: CpuProfile = {
  nodes: [
    { id: 1, callFrame: frame('(root)'), children: [2, 3, 6, 7, 9, 10] },
    { id: 2, callFrame: frame('(idle)') },
    { id: 3, callFrame: frame('lease', 'file:///x/src/frontier/adapters/redis/lease-search.ts'), children: [4] },
    { id: 4, callFrame: frame('stringify'), children: [5] },
    { id: 5, callFrame: frame('write', 'file:///x/node_modules/ioredis/built/Redis.js') },
    { id: 6, callFrame: frame('parse', 'file:///x/src/parse/html.ts') },
    { id: 7, callFrame: frame('findOrAdd', 'file:///x/src/dedup/adapters/redis/near.ts'), children: [8] },
    { id: 8, callFrame: frame('send', 'file:///x/node_modules/ioredis/built/Redis.js') },
    { id: 9, callFrame: frame('onData', 'file:///x/node_modules/ioredis/built/DataHandler.js') },
    { id: 10, callFrame: frame('findByContent', 'file:///x/src/fleet/content-claims.ts'), children: [11] },
    { id: 11, callFrame: frame('search', 'file:///x/src/store/adapters/opensearch/opensearch-records.ts') },
  ],
  startTime: 100_000,
  samples: [2, 3, 4, 5, 6, 6, 8, 9, 10, 11],
  timeDeltas: [5000, 1000, 1000, 1000, 3000, 4000, 500, 200, 300, 600],
}

test('time of a client belongs to who called it, and idleness to nobody', () => {
  assert.deepEqual(msByPart([profile], 0), { frontier: 3, questions: 0.8, membership: 0, client: 0.2, pages: 7.6 })
})

test('what came before the moment is not counted', () => {
  assert.deepEqual(msByPart([profile], 108_001), {
    frontier: 0,
    questions: 0.8,
    membership: 0,
    client: 0.2,
    pages: 7.6,
  })
})
