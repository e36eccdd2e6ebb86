import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { test } from 'node:test'
import { engineFor } from '../../test/engines.ts'
import { answersPing } from './redis.ts'

const { ORBWEAVER_TEST_REDIS_URL: _, ...environment } = process.env

function runEngines(...args: string[]): ChildProcess {
  return spawn(process.execPath, [join(import.meta.dirname, 'main.ts'), ...args], {
    env: environment,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
}

test('engines run until Ctrl-C, and are gone after it', { skip: engineFor('redis').skip ?? false }, async () => {
  const running = runEngines('redis', '--json')
  const notes = text(running.stderr!)
  const [line] = await once(running.stdout!, 'data')
  const { environment, settings } = JSON.parse(String(line))
  assert.equal(environment.ORBWEAVER_TEST_REDIS_URL, settings.engines.redis.url)
  const port = Number(new URL(settings.engines.redis.url).port)
  assert.ok(await answersPing(port))
  running.kill('SIGINT')
  assert.deepEqual(await once(running, 'exit'), [0, null])
  assert.match(await notes, /Stopped\.\n$/)
  await assert.rejects(answersPing(port), /ECONNREFUSED/)
})

test('an unknown name is refused with those that are known', async () => {
  const refused = runEngines('rediss')
  const notes = text(refused.stderr!)
  assert.deepEqual(await once(refused, 'exit'), [2, null])
  assert.equal(await notes, 'Unknown engine rediss; known are redis, redis-cluster, kafka, s3, opensearch.\n')
})

test('an unknown flag is refused with where to look', async () => {
  const refused = runEngines('--prot')
  const notes = text(refused.stderr!)
  assert.deepEqual(await once(refused, 'exit'), [2, null])
  assert.equal(await notes, "Unknown option '--prot'. See `npm run engines -- --help`.\n")
})
