import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ConformanceTable, showCoverage, type TestEvent } from './conformance.ts'

const suite = '/clone/src/frontier/frontier.conformance.ts'
const result = (type: 'test:pass' | 'test:fail', data: TestEvent['data'] = {}): TestEvent => ({
  type,
  data: { name: 'a promise', file: suite, details: { type: 'test' }, ...data },
})
const endOf = (file: string): TestEvent => ({ type: 'test:summary', data: { file: `/clone/${file}` } })

function rowsAfter(events: readonly TestEvent[], suiteFiles: readonly string[] = []): string[] {
  const table = new ConformanceTable('/clone')
  for (const event of events) table.see(event)
  return table.rows(suiteFiles).map((row) => `${row.suite} × ${row.adapter}: ${showCoverage(row)}`)
}

test('tests of a suite count for the adapter whose file ran them', () => {
  assert.deepEqual(
    rowsAfter([
      result('test:pass'),
      result('test:pass'),
      result('test:pass', { details: { type: 'suite' } }),
      endOf('src/frontier/adapters/redis/redis-frontier.test.ts'),
      result('test:pass'),
      result('test:fail'),
      endOf('src/frontier/adapters/embedded/embedded-frontier.test.ts'),
      result('test:pass', { file: '/clone/src/url/keys.test.ts' }),
      endOf('src/url/keys.test.ts'),
    ]),
    ['frontier × embedded: 1 run, 1 FAILED', 'frontier × redis: 2 run'],
  )
})

test('a suite that was skipped whole is there with its reason', () => {
  const skipped = result('test:pass', { details: { type: 'suite' }, skip: 'no Redis on this machine' })
  assert.deepEqual(rowsAfter([skipped, endOf('src/frontier/adapters/redis/redis-frontier.test.ts')]), [
    'frontier × redis: 1 skipped: no Redis on this machine',
  ])
})

test('a suite that ran over nothing is named', () => {
  assert.deepEqual(rowsAfter([], ['src/frontier/frontier.conformance.ts']), ['frontier × : NOT RUN'])
})

test('a file that dies does not hand its tests to the next', () => {
  const file = '/clone/src/frontier/adapters/redis/redis-frontier.test.ts'
  assert.deepEqual(
    rowsAfter([result('test:pass'), { type: 'test:fail', data: { name: file, file } }, endOf('src/url/keys.test.ts')]),
    ['frontier × redis: 1 run'],
  )
})
