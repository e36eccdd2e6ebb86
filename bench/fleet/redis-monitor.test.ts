import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { Script } from '../../src/engines/redis/script.ts'
import { RedisMonitor } from './redis-monitor.ts'

const settle = new Script(
  readFileSync(new URL('../../src/frontier/adapters/redis/scripts/settle.lua', import.meta.url), 'utf8'),
)
/** As MONITOR writes it. */
const quoted = (text: string) =>
  Array.from(Buffer.from(text).toString('latin1'), (letter) => {
    if (letter === '\n') return '\\n'
    if (letter === '\\') return '\\\\'
    return /[ -~]/.test(letter) ? letter : `\\x${letter.charCodeAt(0).toString(16).padStart(2, '0')}`
  }).join('')

test('what a script does counts for the script, by the name of its file', () => {
  const monitor = new RedisMonitor('fleet')
  monitor.heard(1, ['EVAL', quoted(settle.source), '2'], 'a')
  monitor.reset()
  monitor.heard(2, ['evalsha', settle.digest, '2'], 'a')
  monitor.heard(2.0001, ['HGET', 'x'], 'lua')
  monitor.heard(2.0002, ['GET', 'fleet:{fleet:registry}:crawls:version'], 'a')
  monitor.heard(2.0003, ['GET', 'fleet:content:news:1f'], 'b')
  assert.deepEqual(monitor.ofPage(1), {
    settle: { calls: 1, operations: 2, trips: 1 },
    'get fleet:crawls:version': { calls: 1, operations: 1, trips: 0 },
    'get fleet:content:news': { calls: 1, operations: 1, trips: 1 },
  })
})

test('what one connection asks a while later is another trip', () => {
  const monitor = new RedisMonitor('fleet')
  for (const at of [1, 1.0005, 1.01]) monitor.heard(at, ['PING'], 'a')
  assert.deepEqual(monitor.ofPage(3), { ping: { calls: 1, operations: 1, trips: 0.667 } })
})
