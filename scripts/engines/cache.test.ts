import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, test } from 'node:test'
import { cached } from './cache.ts'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'orbweaver-cache-'))
  process.env.ORBWEAVER_TEST_ENGINES_CACHE = folder
})
afterEach(async () => {
  delete process.env.ORBWEAVER_TEST_ENGINES_CACHE
  await rm(folder, { recursive: true })
})

test('what was brought once is not brought again', async () => {
  let fills = 0
  const fill = async (unfinished: string) => writeFile(join(unfinished, 'program'), `${++fills}`)
  assert.equal(await cached('engine-1', fill), join(folder, 'engine-1'))
  await cached('engine-1', fill)
  assert.equal(fills, 1)
})

test('what failed half-way leaves nothing, and is tried again', async () => {
  const fail = async (unfinished: string) => {
    await writeFile(join(unfinished, 'half'), '')
    throw new Error('the line was cut')
  }
  await assert.rejects(cached('engine-1', fail), /the line was cut/)
  assert.deepEqual(await readdir(folder), [])
  await cached('engine-1', async () => {})
  assert.ok(existsSync(join(folder, 'engine-1')))
})

test('what two ask for at once is brought once', async () => {
  let fills = 0
  const fill = async () => {
    fills++
  }
  assert.equal(new Set(await Promise.all([cached('engine-1', fill), cached('engine-1', fill)])).size, 1)
  assert.equal(fills, 1)
})

test('who is overtaken by another process takes what that one has brought', async () => {
  const fill = async (unfinished: string) => writeFile(join(unfinished, 'program'), 'whole')
  const first = cached('engine-1', async (unfinished) => {
    await mkdir(join(folder, 'engine-1'))
    await fill(join(folder, 'engine-1'))
    await fill(unfinished)
  })
  assert.equal(await first, join(folder, 'engine-1'))
  assert.deepEqual(await readdir(folder), ['engine-1'])
})

test('what a process that is no more has begun is removed', async () => {
  await mkdir(join(folder, 'engine-1.unfinished-999999999'))
  await cached('engine-1', async () => {})
  assert.deepEqual(await readdir(folder), ['engine-1'])
})
