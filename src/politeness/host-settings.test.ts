import assert from 'node:assert/strict'
import { test } from 'node:test'
import { politenessConfig } from './config.ts'
import { settingsFor, withDecision } from './host-settings.ts'

const config = politenessConfig.parse({
  hosts: {
    '*.example.com': { delayMs: 200, burst: 2 },
    '*.shop.example.com': { delayMs: 300 },
    'a.shop.example.com': { connections: 4, ignoreRobots: true },
    localhost: { delayMs: 0 },
  },
})

test('a host without settings of its own has those of the crawl', () => {
  const { delayMs, burst, connections, ignoreRobots } = settingsFor('other.org', config)
  assert.deepEqual(
    { delayMs, burst, connections, ignoreRobots },
    { delayMs: 1000, burst: 1, connections: 1, ignoreRobots: false },
  )
})

test('each setting comes from the most specific entry that has it', () => {
  const { delayMs, burst, connections, ignoreRobots } = settingsFor('a.shop.example.com', config)
  assert.deepEqual(
    { delayMs, burst, connections, ignoreRobots },
    { delayMs: 300, burst: 2, connections: 4, ignoreRobots: true },
  )
})

test('*.domain speaks for subdomains at any depth, not for the domain, nor for names that only end like it', () => {
  assert.equal(settingsFor('x.y.example.com', config).delayMs, 200)
  assert.equal(settingsFor('example.com', config).delayMs, 1000)
  assert.equal(settingsFor('badexample.com', config).delayMs, 1000)
  assert.equal(settingsFor('shop.example.com', config).delayMs, 200)
})

test('without delay a host gets more connections, unless they are set', () => {
  assert.equal(settingsFor('localhost', config).connections, 64)
  assert.equal(settingsFor('localhost', politenessConfig.parse({ delayMs: 0, connections: 2 })).connections, 2)
})

test('names that every object has are no settings', () => {
  for (const name of ['constructor', '__proto__', 'tostring']) assert.equal(settingsFor(name, config).delayMs, 1000)
})

test('an unknown setting, a wrong value or a pattern that is no host is refused by name', () => {
  for (const [wrong, name] of [
    [{ delay: 5 }, 'delay'],
    [{ delayMs: -1 }, 'delayMs'],
    [{ hosts: { 'a.com': { speed: 1 } } }, 'speed'],
    [{ hosts: { 'http://a.com/': {} } }, 'http://a.com/'],
    [{ hosts: { 'a.*.com': {} } }, 'a.*.com'],
    [{ robots: { retryMs: ['soon'] } }, 'retryMs'],
  ] as const) {
    const { error } = politenessConfig.safeParse(wrong)
    assert.ok(JSON.stringify(error?.issues).includes(name), name)
  }
})

test('what an operator has decided for a host comes before its settings, one request at a time', () => {
  const settings = settingsFor('a.test', politenessConfig.parse({ delayMs: 0, burst: 10 }))
  assert.equal(withDecision(settings, {}), settings)
  const { delayMs, burst, connections } = withDecision(settings, { delayMs: 500 })
  assert.deepEqual({ delayMs, burst, connections }, { delayMs: 500, burst: 1, connections: 1 })
})

test('where no host has settings of its own, each configuration still has its own', () => {
  const slow = politenessConfig.parse({ delayMs: 5000 })
  const fast = politenessConfig.parse({ delayMs: 100 })
  const delays = [slow, fast, config, slow].map((one) => settingsFor('other.org', one).delayMs)
  assert.deepEqual(delays, [5000, 100, 1000, 5000])
})
