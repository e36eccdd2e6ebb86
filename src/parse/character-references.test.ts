import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { type DefaultTreeAdapterTypes, parseFragment } from 'parse5'
import { decodeText } from './character-references.ts'
import { NAMED_REFERENCES } from './named-references.ts'

function decode(text: string, inAttribute = false): string {
  const bytes = Buffer.from(text)
  return decodeText(bytes, 0, bytes.length, inAttribute)
}

function oracle(text: string, inAttribute: boolean): string {
  const source = inAttribute ? `<b title="${text}">` : `<textarea>\n${text}</textarea>`
  const element = parseFragment(source).childNodes[0] as DefaultTreeAdapterTypes.Element
  if (inAttribute) return element.attrs[0]!.value
  return element.childNodes.map((node) => ('value' in node ? node.value : '')).join('')
}

test('all named references of the standard are known, with and without a semicolon, in text and attributes', () => {
  const names = NAMED_REFERENCES.trim()
    .split(/[\n,]/)
    .flatMap((entry) => entry.split(' ').slice(1))
  assert.equal(names.length, 2125)
  for (const name of names)
    for (const end of [';', '', 'x', '=', '; '])
      for (const inAttribute of [false, true])
        assert.equal(decode(`&${name}${end}`, inAttribute), oracle(`&${name}${end}`, inAttribute), `&${name}${end}`)
})

test('every numeric reference up to 0x3000 means what the standard says', () => {
  for (let code = 0; code < 0x3000; code++) {
    if (code === 0x0d) continue
    assert.equal(decode(`&#${code};`), oracle(`&#${code};`, false), String(code))
  }
})

test('references that are cut, absurd or unknown are read as the standard reads them', () => {
  const part = fc.constantFrom(
    '&',
    '#',
    'x',
    'X',
    ';',
    'amp',
    'lt',
    'not',
    'in',
    'é',
    '9',
    '99999999999',
    'd800',
    '=',
    ' ',
  )
  fc.assert(
    fc.property(fc.array(part, { maxLength: 8 }), fc.boolean(), (parts, inAttribute) => {
      const text = parts.join('')
      assert.equal(decode(text, inAttribute), oracle(text, inAttribute))
    }),
    { numRuns: 5000 },
  )
})

test('what is decoded is valid Unicode, whatever the bytes', () => {
  fc.assert(
    fc.property(fc.uint8Array(), fc.boolean(), (bytes, inAttribute) => {
      assert.ok(decodeText(Buffer.from(bytes), 0, bytes.length, inAttribute).isWellFormed())
    }),
  )
})
