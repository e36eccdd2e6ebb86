import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { systemClock } from '../../../clock.ts'
import { localPool } from './local-pool.ts'

/** A worker that ends in order when it is told to, or when its parent is gone. */
const dutiful =
  "process.on('SIGTERM', () => process.exit(0)); process.on('disconnect', () => process.exit(0)); setInterval(() => {}, 1000)"

function poolOf(program: string) {
  const said: string[] = []
  const command = [process.execPath, '-e', program, '--'] as const
  return { said, pool: localPool({ command, clock: systemClock(), log: (line) => said.push(line) }) }
}

const until = async (isSo: () => boolean) => {
  while (!isSo()) await sleep(5)
}

test('as many processes as wanted, and asking twice starts none twice', async () => {
  const { pool } = poolOf(dutiful)
  await using _closing = pool
  await pool.scaleTo(3)
  const { ids } = pool
  await pool.scaleTo(3)
  assert.deepEqual(pool.ids, ids)
  assert.equal(new Set(ids).size, 3)
  assert.equal(await pool.size(), 3)
  assert.ok(ids.every((id) => pool.owns({ id, host: '' })))
  assert.equal(pool.owns({ id: 'another', host: '' }), false)
})

test('those that are too many are told to leave, the youngest first', async () => {
  const { pool } = poolOf(dutiful)
  await using _closing = pool
  await pool.scaleTo(3)
  const [oldest, , youngest] = pool.ids
  await pool.scaleTo(1)
  assert.deepEqual(pool.ids, [oldest])
  await until(() => !pool.owns({ id: youngest!, host: '' }))
})

test('workers leave in order when another leads, and are not started again', async () => {
  const { pool, said } = poolOf(dutiful)
  await using _closing = pool
  await pool.scaleTo(2)
  const [first] = pool.ids
  assert.equal(await pool.standDown(), 2)
  assert.equal(await pool.standDown(), 0)
  await until(() => !pool.owns({ id: first!, host: '' }))
  assert.deepEqual([pool.ids, await pool.size(), said], [[], 0, []])
})

test('a worker that is sick is killed and replaced', async () => {
  const { pool } = poolOf("process.on('SIGTERM', () => {}); setInterval(() => {}, 1000)")
  await using stack = new AsyncDisposableStack()
  stack.defer(async () => {
    for (const id of pool.ids) void pool.replace({ id, host: '' })
  })
  await pool.scaleTo(1)
  const [sick] = pool.ids
  await pool.replace({ id: sick!, host: '' })
  assert.equal(pool.ids.length, 1)
  assert.notEqual(pool.ids[0], sick)
  const [last] = pool.ids
  await pool.scaleTo(0)
  await pool.replace({ id: last!, host: '' })
  assert.deepEqual(pool.ids, [])
})

test('a worker that dies at once is not started again without end', async () => {
  const { pool, said } = poolOf('process.exit(3)')
  await using _closing = pool
  await pool.scaleTo(1)
  await until(() => said.length > 0)
  assert.match(said.join(), /ended by itself \(code 3\); another takes its place in 1 s/)
  assert.deepEqual(pool.ids, [])
})

test('workers leave when the process that started them is killed', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'pool-'))
  const file = join(folder, 'said')
  const says = () => (existsSync(file) ? readFileSync(file, 'utf8') : '')
  const write = (text: string) => `require('fs').writeFileSync(${JSON.stringify(file)}, '${text}')`
  const worker = `process.on('disconnect', () => { ${write('left')}; process.exit(0) }); ${write('here')}; setInterval(() => {}, 1000)`
  const parent = spawn(process.execPath, [
    ...['--input-type=module', '-e'],
    `import { localPool } from ${JSON.stringify(import.meta.resolve('./local-pool.ts'))}
     import { systemClock } from ${JSON.stringify(import.meta.resolve('../../../clock.ts'))}
     const command = [process.execPath, '-e', ${JSON.stringify(worker)}, '--']
     await localPool({ command, clock: systemClock(), log: () => {} }).scaleTo(1)`,
  ])
  try {
    await until(() => says() === 'here')
    parent.kill('SIGKILL')
    await until(() => says() === 'left')
  } finally {
    parent.kill('SIGKILL')
    rmSync(folder, { recursive: true })
  }
})

test('a program that is not there is told in one line', async () => {
  const said: string[] = []
  await using pool = localPool({ command: ['/no/such/program'], clock: systemClock(), log: (line) => said.push(line) })
  await pool.scaleTo(1)
  await until(() => said.length > 1)
  assert.match(said[0]!, /could not be started: .*ENOENT/)
})
