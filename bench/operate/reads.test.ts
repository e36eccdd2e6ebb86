import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkedInput, matchRoute } from '../../src/server/router.ts'
import { readAt } from './reads.ts'

const of = { crawl: 'c', hosts: ['a.test:1'], urls: ['http://a.test/'] }

test('twenty requests in a row are the whole mixture, and the next twenty are again', () => {
  const names = (from: number) => Array.from({ length: 20 }, (_, n) => readAt(from + n, of).name).toSorted()
  assert.equal(new Set(names(0)).size, 12)
  assert.deepEqual(names(20), names(0))
})

test('every request is one that the server takes', () => {
  for (let n = 0; n < 200; n++) {
    const { pathname, searchParams: query } = new URL(readAt(n, of).path, 'http://server')
    if (pathname === '/metrics') continue
    const { name, params } = matchRoute('GET', pathname)
    assert.doesNotThrow(() => checkedInput(name, { params, query, body: undefined }))
  }
})
