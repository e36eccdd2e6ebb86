import assert from 'node:assert/strict'
import { test } from 'node:test'
import { canonicalUrl } from './canonical.ts'
import { aliasOf, graph } from './graph.ts'

const big = graph({ keys: ['seed', 'host'], pages: 1000, crossLinks: 4, aliases: true })

test('every page can be reached from the first', () => {
  const reached = new Set([0])
  for (const page of reached)
    for (const { href } of big.links(page)) {
      const { pathname, search } = new URL(canonicalUrl(href, 'http://host.test'))
      reached.add(big.pageAt(pathname + search)!)
    }
  assert.equal(reached.size, 1000)
  assert.ok(!reached.has(undefined!))
})

test('paths and pages map onto each other, one to one', () => {
  const paths = new Set(Array.from({ length: 1000 }, (_, page) => big.path(page)))
  assert.equal(paths.size, 1000)
  for (const path of paths) assert.equal(big.path(big.pageAt(path)!), path)
})

test('paths that look like pages but are none are not found', () => {
  const other = big.path(7)
  for (const path of ['', '/about', '/about/amber-7x', `${other}0000000`, `/x${other}`, '/notes/list?id=13', '/a-1e3'])
    assert.equal(big.pageAt(path), undefined, path)
})

test('a page of a huge host costs no more than one of a small host', () => {
  const huge = graph({ keys: ['seed', 'host'], pages: 500_000_000, crossLinks: 4, aliases: false })
  assert.equal(huge.pageAt(huge.path(499_999_999)), 499_999_999)
  assert.ok(huge.links(123_456_789).length > 5)
})

test('every alias of a path is the same URL', () => {
  for (const path of ['/', '/guides/larch-17', '/notes/list?id=13&view=full'])
    for (let way = 0; way < 6; way++)
      assert.equal(
        canonicalUrl(aliasOf(path, way), 'http://host.test/deep/page'),
        canonicalUrl(path, 'http://host.test'),
        `${path} by ${way}`,
      )
})
