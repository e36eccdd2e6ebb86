import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { configOfOrders, environmentName, loadConfig, nearest } from './load.ts'
import { UsageError } from './usage-error.ts'

test('defaults are whole, and the later source wins: file, environment, overrides', (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'orbweaver-config-'))
  t.after(() => rmSync(folder, { recursive: true }))
  const file = join(folder, 'orbweaver.yaml')
  writeFileSync(file, 'limits: { maxPages: 1, maxDepth: 1 }\npoliteness: { delayMs: 5 }\n')
  const environment = { ORBWEAVER_LIMITS_MAX_PAGES: '2', ORBWEAVER_POLITENESS_DELAY_MS: '6', PATH: '/bin' }
  const { config, given } = loadConfig({ file, environment, overrides: { 'limits.maxPages': 3 } })
  assert.equal(config.limits.maxPages, 3)
  assert.equal(config.limits.maxDepth, 1)
  assert.equal(config.politeness.delayMs, 6)
  assert.equal(config.worker.concurrency, null)
  assert.deepEqual(loadConfig({ base: given }).config, config, 'what was given is enough to load the same again')
})

test('every fault is named at once, with the nearest name that exists', () => {
  assert.throws(
    () =>
      loadConfig({
        environment: { ORBWEAVER_LIMIT_MAX_PAGES: '1' },
        overrides: { 'fetch.http3': true, 'url.scope': 'all' },
      }),
    (error) => {
      assert.ok(error instanceof UsageError)
      assert.match(
        error.message,
        /ORBWEAVER_LIMIT_MAX_PAGES names no setting\. Did you mean ORBWEAVER_LIMITS_MAX_PAGES\?/,
      )
      assert.match(error.message, /Unknown setting fetch\.http3\. Did you mean fetch\.http2\?/)
      assert.match(error.message, /Setting url\.scope: /)
      return true
    },
  )
})

test('names for the environment and for what was misspelt', () => {
  assert.equal(environmentName('fetch.maxBodyBytes'), 'ORBWEAVER_FETCH_MAX_BODY_BYTES')
  assert.equal(nearest('--max-page', ['--max-pages', '--max-depth']), ' Did you mean --max-pages?')
  assert.equal(nearest('frobnicate', ['crawl', 'resume']), '')
})

test('variables that the program reads for itself are no settings, and no fault', () => {
  assert.deepEqual(loadConfig({ environment: { ORBWEAVER_OUT: './data', ORBWEAVER_TEST_WEB: '1' } }).given, {})
})

test('a list in the environment may be written with commas', () => {
  const load = (text: string) => loadConfig({ environment: { ORBWEAVER_ENGINES_OPENSEARCH_URLS: text } }).config
  const urls = ['http://a:9200', 'http://b:9200']
  assert.deepEqual(load('http://a:9200, http://b:9200').engines.opensearch.urls, urls)
  assert.deepEqual(load('["http://a:9200", "http://b:9200"]').engines.opensearch.urls, urls)
  assert.deepEqual(load('').engines.opensearch.urls, [])
})

test('settings of orders are loaded once, and again when they are others', () => {
  const orders = { config: { limits: { maxPages: 3 } } }
  assert.equal(configOfOrders(orders).limits.maxPages, 3)
  assert.equal(configOfOrders({ config: orders.config }), configOfOrders(orders))
  assert.equal(configOfOrders({ config: { limits: { maxPages: 4 } } }).limits.maxPages, 4)
})
