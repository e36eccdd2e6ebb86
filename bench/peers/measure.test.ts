import assert from 'node:assert/strict'
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { isThere } from './build.ts'
import { complaintIn, measure, measuringNeeds, neutralEnvironment, readUsage } from './measure.ts'

const skip = measuringNeeds.every(isThere) ? false : `needs ${measuringNeeds.join(' and ')}`

test('what GNU time wrote is read, also after the line that tells of a bad end', () => {
  const expected = { cpuMs: 1750, elapsedMs: 3000, peakRssBytes: 2048 * 1024 }
  assert.deepEqual(readUsage('1.50 0.25 3.00 2048\n'), expected)
  assert.deepEqual(readUsage('Command exited with non-zero status 3\n1.50 0.25 3.00 2048\n'), expected)
})

test('settings for Orbweaver in the environment stay out of the measurement', () => {
  assert.deepEqual(neutralEnvironment({ PATH: '/bin', ORBWEAVER_FETCH_HTTP2: 'false' }), { PATH: '/bin' })
})

test('of what a program complains about, the line with the error is kept', () => {
  assert.equal(
    complaintIn('x.js:1\nTypeError: no such thing\n    at x.js:1:1\n\nNode.js v26.1.0\n'),
    'TypeError: no such thing',
  )
  assert.equal(complaintIn('starting\ngiving up\n'), 'giving up')
  assert.equal(complaintIn(''), '')
})

test('the CPU time of children counts, and nothing that was written stays', { skip }, async () => {
  const busy = `const until = process.cpuUsage().user + 60_000; while (process.cpuUsage().user < until);`
  const parent = `require('node:child_process').spawnSync(process.execPath, ['-e', ${JSON.stringify(busy)}]); console.error('enough'); process.exit(3)`
  let folder = ''
  const usage = await measure(
    0,
    (out) => {
      folder = out
      writeFileSync(join(out, 'page'), '')
      return [process.execPath, '-e', parent]
    },
    {},
  )
  assert.deepEqual([usage.exitCode, usage.complaint], [3, 'enough'])
  assert.ok(usage.cpuMs >= 60, `${usage.cpuMs} ms`)
  assert.ok(usage.peakRssBytes > 2 ** 20)
  assert.equal(existsSync(folder), false)
})
