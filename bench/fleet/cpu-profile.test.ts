import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type CpuProfile, cpuOfPart, isCoordination } from './cpu-profile.ts'

const frame = (functionName: string, url = '') => ({ functionName, url })
const profile: CpuProfile = {
  nodes: [
    { id: 1, callFrame: frame('(root)'), children: [2, 3, 6] },
    { id: 2, callFrame: frame('(idle)') },
    { id: 3, callFrame: frame('lease', 'file:///x/src/frontier/adapters/redis/lease-search.ts'), children: [4] },
    { id: 4, callFrame: frame('stringify'), children: [5] },
    { id: 5, callFrame: frame('write', 'file:///x/node_modules/ioredis/built/Redis.js') },
    { id: 6, callFrame: frame('parse', 'file:///x/src/parse/html.ts') },
  ],
  samples: [2, 3, 4, 5, 6, 6],
  timeDeltas: [5000, 1000, 1000, 1000, 3000, 4000],
}

test('time under a function of the part is its own, and idleness is nobody’s', () => {
  assert.deepEqual(cpuOfPart(profile, isCoordination), { totalMs: 10, partMs: 3 })
})

test('coordination is the fleet, its adapters and their clients', () => {
  for (const url of ['/a/src/fleet/fleet.ts', '/a/src/politeness/adapters/redis/x.ts', '/a/src/engines/kafka/x.ts'])
    assert.ok(isCoordination(url), url)
  for (const url of ['/a/src/parse/html.ts', '/a/src/store/adapters/s3/x.ts', '/a/node_modules/undici/x.js', ''])
    assert.ok(!isCoordination(url), url)
})
