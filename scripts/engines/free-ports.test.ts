import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { test } from 'node:test'
import { freePorts } from './free-ports.ts'

test('a port is given once, and can be listened on', async () => {
  const ports = [...(await freePorts(20)), ...(await freePorts(20))]
  assert.equal(new Set(ports).size, 40)
  const server = createServer().listen(ports[0], '127.0.0.1')
  await once(server, 'listening')
  server.close()
})

test('a port on which somebody listens is passed over', async () => {
  const [taken] = await freePorts(1, () => 0.25)
  const server = createServer().listen(taken! + 1, '127.0.0.1')
  await once(server, 'listening')
  const chances = [1, 2].map((n) => 0.25 + (n + 0.5) / 17_000)
  assert.deepEqual(await freePorts(1, () => chances.shift() ?? 0), [taken! + 2])
  server.close()
})
