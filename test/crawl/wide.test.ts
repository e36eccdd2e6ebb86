import assert from 'node:assert/strict'
import { test } from 'node:test'
import { paceReport } from './wide-pace.ts'
import { runWideWorld } from './wide-world.ts'

test('every one of many hosts is visited at the pace it allows, none sooner and none starved', async () => {
  const { touches, mostOpenHosts } = await runWideWorld({
    ...{ hosts: 400, pagesPerHost: 15, latencyMs: [20, 5000], concurrency: 400 },
  })
  assert.equal(mostOpenHosts, 400)
  for (const [host, list] of touches) assert.equal(list.length, 15, host)
  const { least, most, violations } = paceReport(touches.values())
  assert.equal(violations, 0)
  assert.ok(least >= 1 && most < 1.01, `${least} to ${most}`)
})

test('with fewer hosts held at once than there are, all have their turn and none is visited too soon', async () => {
  const { touches, mostOpenHosts } = await runWideWorld({
    ...{ hosts: 200, pagesPerHost: 15, latencyMs: [20, 500], concurrency: 200, hostsAtOnce: 50 },
  })
  assert.equal(mostOpenHosts, 50)
  for (const [host, list] of touches) assert.equal(list.length, 15, host)
  assert.equal(paceReport(touches.values()).violations, 0)
})

test('with fewer slots than hosts want, hosts share them evenly', async () => {
  const { touches } = await runWideWorld({
    ...{ hosts: 200, pagesPerHost: 10, latencyMs: [900, 1000], concurrency: 40 },
  })
  const { violations, least, most } = paceReport(touches.values())
  assert.equal(violations, 0)
  assert.ok(least > 2, 'forty at a time cannot serve two hundred hosts at their pace')
  assert.ok(most < 1.3 * least, `${least} to ${most}`)
})

test('concurrency that finds its level lets all hosts have their pace after a few seconds', async () => {
  const { touches } = await runWideWorld({
    ...{ hosts: 500, pagesPerHost: 25, latencyMs: [600, 900], concurrency: null },
  })
  const { least, most, violations } = paceReport([...touches.values()].map((list) => list.slice(-8)))
  assert.equal(violations, 0)
  assert.ok(least >= 1 && most < 1.05, `${least} to ${most}`)
})
