import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Attribute } from './attributes.ts'
import { END_OF_INPUT, END_TAG, RAW_TEXT, Scanner, START_TAG, TEXT } from './scanner.ts'
import { Tag } from './tags.ts'

const NAMES = { [TEXT]: 'text', [RAW_TEXT]: 'raw', [START_TAG]: 'start', [END_TAG]: 'end' }

function tokens(source: string): string[] {
  const scanner = new Scanner(Buffer.from(source))
  const found: string[] = []
  for (let token = scanner.next(); token !== END_OF_INPUT; token = scanner.next())
    found.push(`${NAMES[token]} ${scanner.bytes.toString('utf8', scanner.start, scanner.end)}`)
  return found
}

test('a document becomes texts, raw texts and tags, in their order', () => {
  assert.deepEqual(tokens('<!doctype html><P class=x>a<!-- c --><script>1<2</script></P>b'), [
    'start P',
    'text a',
    'start script',
    'raw 1<2',
    'end script',
    'end P',
    'text b',
  ])
})

test('an element that is not known is still a tag', () => {
  assert.deepEqual(tokens('<x-y></x-y>'), ['start x-y', 'end x-y'])
})

test('attributes are found in any case and order, by their place', () => {
  const scanner = new Scanner(Buffer.from(`<a ID=x HREF='/y' rel = "a b" hidden>`))
  assert.equal(scanner.next(), START_TAG)
  assert.equal(scanner.tag, Tag.a)
  const value = (id: number) => scanner.bytes.toString('utf8', scanner.valueStart(id), scanner.valueEnd(id))
  assert.deepEqual([value(Attribute.href), value(Attribute.rel), value(Attribute.hidden)], ['/y', 'a b', ''])
  assert.ok(!scanner.has(Attribute.src))
})

test('a slash ends a tag by itself only right before its end, and not as part of a value', () => {
  for (const [source, selfClosing] of [
    ['<a/>', true],
    ['<a / >', false],
    ['<a x=y/>', false],
    ['<a x="y"/>', true],
    ['<a>', false],
  ] as const) {
    const scanner = new Scanner(Buffer.from(source))
    scanner.next()
    assert.equal(scanner.selfClosing, selfClosing, source)
  }
})

test('names that are nearly known are not known', () => {
  for (const source of ['<aa>', '<h\x11>', '<scrip>', '<scriptt>', '<h7>', '<annotation\x0dxml>']) {
    const scanner = new Scanner(Buffer.from(source))
    scanner.next()
    assert.ok([0, Tag.annotation].includes(scanner.tag), JSON.stringify(source))
  }
})

test('after the end it stays at the end', () => {
  const scanner = new Scanner(Buffer.from('<b'))
  assert.equal(scanner.next(), END_OF_INPUT)
  assert.equal(scanner.next(), END_OF_INPUT)
})
