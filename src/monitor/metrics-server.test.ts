import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Instruments } from './instruments.ts'
import { openMetricsServer } from './metrics-server.ts'

test('metrics and a sign of life are served, and nothing else', async () => {
  const instruments = new Instruments()
  instruments.set('orbweaver_storage_lag_seconds', 0.5)
  await using server = await openMetricsServer('127.0.0.1:0', () => instruments.families())
  const ask = (path: string, method = 'GET') => fetch(`http://127.0.0.1:${server.port}${path}`, { method })
  assert.match(await (await ask('/metrics')).text(), /^orbweaver_storage_lag_seconds 0.5$/m)
  assert.equal((await ask('/healthz')).status, 200)
  assert.equal((await ask('/else')).status, 404)
  assert.equal((await ask('/metrics', 'POST')).status, 405)
})

test('an address that is none, or taken, is told by the name of its setting', async () => {
  await assert.rejects(
    openMetricsServer('nowhere', () => []),
    /monitor.listen "nowhere" is no address/,
  )
  await using server = await openMetricsServer('127.0.0.1:0', () => [])
  await assert.rejects(
    openMetricsServer(`127.0.0.1:${server.port}`, () => []),
    /monitor.listen .* cannot be used/,
  )
})
