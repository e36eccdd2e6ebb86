import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { Redis } from 'ioredis'
import { engineFor, ownEngine, startRedis, startS3 } from '../../test/engines.ts'
import { EngineMissing } from './engine-missing.ts'
import { homeOf, launch } from './running-engine.ts'

const skip = engineFor('redis').skip ?? false

async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await sleep(20)
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    assert.equal((error as NodeJS.ErrnoException).code, 'ESRCH')
    return false
  }
}

test('a Redis that was killed comes back at the same place with what it had been told', async (t) => {
  await using redis = await ownEngine(t, () => startRedis({ appendOnly: true }))
  if (redis === undefined) return
  const client = new Redis(redis.url)
  await client.set('key', 'value')
  const before = redis.pid
  await redis.kill()
  assert.ok(!isAlive(before))
  await redis.restart()
  assert.notEqual(redis.pid, before)
  assert.equal(await client.get('key'), 'value')
  client.disconnect()
})

test('data in a folder that was given outlive the engine, others go with it', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'orbweaver-given-'))
  t.after(() => rm(folder, { recursive: true }))
  const s3 = await ownEngine(t, () => startS3({ folder, buckets: ['kept'] }))
  await s3?.stop()
  const redis = await ownEngine(t, () => startRedis())
  if (s3 === undefined || redis === undefined) return
  assert.ok(existsSync(join(folder, 'data', 'kept')))
  const own = (await folderOf(redis.url))!
  assert.ok(existsSync(own))
  await redis.stop()
  assert.ok(!existsSync(own))
})

async function folderOf(url: string): Promise<string | undefined> {
  const client = new Redis(url)
  const answer = (await client.config('GET', 'dir')) as string[]
  client.disconnect()
  return answer[1]
}

test('an engine ends with the process that started it, and its folder too, also by kill -9', { skip }, async () => {
  const script = `
    import { startRedis } from ${JSON.stringify(new URL('../../test/engines.ts', import.meta.url).href)}
    const redis = await startRedis()
    console.log(JSON.stringify({ pid: redis.pid, url: redis.url }))
    setInterval(() => {}, 1000)`
  const parent = spawn(process.execPath, ['--input-type=module-typescript', '-e', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const { pid, url } = await firstLine(parent)
  const folder = (await folderOf(url))!
  parent.kill('SIGKILL')
  await until(() => !isAlive(pid) && !existsSync(folder))
})

async function firstLine(child: ChildProcess): Promise<{ pid: number; url: string }> {
  const [line] = await once(child.stdout!, 'data')
  return JSON.parse(String(line))
}

test('an engine that ends at once is missing, with its last words, and leaves nothing', async () => {
  const home = await homeOf({}, 'broken')
  const order = { title: 'Broken', url: '', home, isReady: async () => false }
  await assert.rejects(
    launch({ ...order, program: 'sh', arguments: ['-c', 'echo no room left; exit 3'] }),
    (error) =>
      error instanceof EngineMissing && error.message === 'Broken: it ended at once; its last words: no room left',
  )
  assert.ok(!existsSync(home.folder))
})

test('a program that is not there is told by its name', async () => {
  const order = { title: 'Absent', url: '', home: await homeOf({}, 'absent'), isReady: async () => false }
  await assert.rejects(launch({ ...order, program: 'no-such-program', arguments: [] }), /Absent: .*no-such-program/)
})

test('the guard is plain shell, without what only some shells have', async () => {
  const guard = await readFile(join(import.meta.dirname, 'guard.sh'), 'utf8')
  assert.doesNotMatch(guard, /\[\[|\bfunction\b|<\(/)
})
