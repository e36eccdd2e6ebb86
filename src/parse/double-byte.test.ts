import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { big5ToUtf8, eucKrToUtf8 } from './double-byte.ts'

const big5 = (...bytes: number[]) => big5ToUtf8(Buffer.from(bytes)).toString()
const eucKr = (...bytes: number[]) => eucKrToUtf8(Buffer.from(bytes)).toString()

test('EUC-KR has all 11,172 syllables, each in one place', () => {
  const found = new Map<string, number>()
  for (let lead = 0x81; lead <= 0xfe; lead++)
    for (let trail = 0x41; trail <= 0xfe; trail++) {
      const text = eucKr(lead, trail)
      if (/^[\uac00-\ud7a3]$/.test(text)) found.set(text, (found.get(text) ?? 0) + 1)
    }
  assert.equal(found.size, 11_172)
  assert.deepEqual(new Set(found.values()), new Set([1]))
})

test('EUC-KR has the syllables of windows-949 and the euro sign', () => {
  assert.equal(eucKr(0x81, 0x41), '갂')
  assert.equal(eucKr(0xc6, 0x52), '힣')
  assert.equal(eucKr(0xb0, 0xa1, 0xc7, 0xd1), '가한')
  assert.equal(eucKr(0xa2, 0xe6), '€')
})

test('Big5 has the characters of Hong Kong and the four that Unicode writes with two', () => {
  assert.equal(big5(0x87, 0x40), '䏰')
  assert.equal(big5(0x88, 0x62, 0x88, 0xa5), 'Ê̄ê̌')
  assert.equal(big5(0xa4, 0xa4, 0xa4, 0xe5), '中文')
  assert.equal(big5(0xa3, 0xc0, 0xa3, 0xdf, 0xa3, 0xe0), '␀␟␡')
  assert.equal(big5(0x81, 0x40), '\ufffd@')
})

test('half a character before markup does not swallow it', () => {
  for (const decode of [big5, eucKr]) {
    assert.equal(decode(0xa4, 0x3c, 0x62, 0x3e), '\ufffd<b>')
    assert.equal(decode(0x80, 0xff, 0x41), '\ufffd\ufffdA')
    assert.equal(decode(0x41, 0xa4), 'A\ufffd')
  }
})

test('the old planes are those of the platform', () => {
  const pair = fc.tuple(fc.integer({ min: 0xb0, max: 0xc5 }), fc.integer({ min: 0xa1, max: 0xfe }))
  fc.assert(
    fc.property(fc.array(pair, { maxLength: 20 }), (pairs) => {
      const bytes = Buffer.from(pairs.flat())
      assert.equal(big5ToUtf8(bytes).toString(), new TextDecoder('big5').decode(bytes))
      assert.equal(eucKrToUtf8(bytes).toString(), new TextDecoder('euc-kr').decode(bytes))
    }),
  )
})
