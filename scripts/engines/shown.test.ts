import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parse } from 'yaml'
import { configSchema } from '../../src/config/schema.ts'
import { exportLines, fleetSettings, fleetYaml, showStart, variables } from './shown.ts'
import type { Start } from './start-engines.ts'

const started = (name: Start['name'], url: string): Start => ({ name, kind: 'started', url, stop: async () => {} })
const redis = started('redis', 'redis://127.0.0.1:1')
const cluster = started('redis-cluster', '127.0.0.1:2,127.0.0.1:3')
const kafka: Start = { name: 'kafka', kind: 'missing', reason: 'Kafka: no JDK found (needs 17 or newer)' }
const s3 = started('s3', 'http://test:testtest@127.0.0.1:4')
const openSearch: Start = { name: 'opensearch', kind: 'given', url: 'http://127.0.0.1:5' }

test('a shell is told of the engines that are there, a test also why one is not', () => {
  assert.deepEqual(exportLines([redis, kafka, openSearch]), [
    'export ORBWEAVER_TEST_REDIS_URL=redis://127.0.0.1:1',
    'export ORBWEAVER_TEST_OPENSEARCH_URL=http://127.0.0.1:5',
  ])
  assert.deepEqual(variables([cluster, kafka]), {
    ORBWEAVER_TEST_REDIS_CLUSTER: '127.0.0.1:2,127.0.0.1:3',
    ORBWEAVER_TEST_MISSING_KAFKA: 'Kafka: no JDK found (needs 17 or newer)',
  })
})

test('the settings for a crawl are settings that a crawl knows', () => {
  const all = [redis, cluster, started('kafka', '127.0.0.1:6'), s3, openSearch]
  const { engines } = configSchema.parse(parse(fleetYaml(all)))
  assert.equal(engines.redis.url, 'redis://127.0.0.1:1')
  assert.deepEqual(engines.kafka.brokers, ['127.0.0.1:6'])
  assert.equal(engines.s3.endpoint, 'http://test:testtest@127.0.0.1:4')
  assert.deepEqual(engines.opensearch.urls, ['http://127.0.0.1:5'])
})

test('a Cluster takes the place of a single Redis where there is none', () => {
  assert.deepEqual(fleetSettings([cluster, kafka]), {
    engines: { redis: { cluster: ['127.0.0.1:2', '127.0.0.1:3'] } },
  })
})

test('each engine has a line that says where it is or what is missing', () => {
  assert.deepEqual(showStart(redis), ['Redis', 'redis://127.0.0.1:1'])
  assert.deepEqual(showStart(kafka), ['Kafka', 'missing: no JDK found (needs 17 or newer)'])
  assert.deepEqual(showStart(openSearch), ['OpenSearch', 'http://127.0.0.1:5 (given by ORBWEAVER_TEST_OPENSEARCH_URL)'])
})
