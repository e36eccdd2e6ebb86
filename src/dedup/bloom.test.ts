import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { type BloomFilter, bloomFilter, loadBloom } from './bloom.ts'

const KEYS = 200_000

describe('Bloom filter', () => {
  test('whatever was added may be there, always', () => {
    fc.assert(
      fc.property(fc.array(fc.maxSafeNat(), { maxLength: 3000 }), (fingerprints) => {
        const filter = bloomFilter(10)
        for (const fingerprint of fingerprints) filter.add(fingerprint)
        return fingerprints.every((fingerprint) => filter.mayHave(fingerprint))
      }),
      { numRuns: 30 },
    )
  })

  for (const [spread, keyAt] of [
    ['all 53 bits', spreadOut],
    ['low bits only', (i: number) => i],
    ['high bits only', (i: number) => (i % 2 ** 21) * 2 ** 32],
  ] as const)
    test(`is wrong at most once in a thousand at its capacity, with fingerprints that differ in ${spread}`, () => {
      const filter = filled(KEYS, KEYS, keyAt)
      assert.ok(falsePositives(filter, keyAt) <= 0.001)
    })

  test('stays within the rate when it grows to many times what was expected', () => {
    const filter = filled(1000, KEYS, spreadOut)
    assert.ok(falsePositives(filter, spreadOut) <= 0.001)
    assert.ok(filter.count > KEYS * 0.998)
  })

  test('takes two bytes for each fingerprint expected', () => {
    assert.ok(bloomFilter(KEYS).bytes <= KEYS * 2)
  })

  test('tells what was surely new, and counts nothing twice', () => {
    const filter = bloomFilter(100)
    assert.equal(filter.add(7), true)
    assert.equal(filter.add(7), false)
    assert.equal(filter.count, 1)
  })

  test('a fingerprint of an early layer is not counted again in a later one', () => {
    const filter = filled(1000, 5000, spreadOut)
    const before = filter.count
    for (let i = 0; i < 5000; i++) filter.add(spreadOut(i))
    assert.equal(filter.count, before)
  })
})

describe('a saved Bloom filter', () => {
  test('comes back as it was, with the mark of its owner, and goes on growing', () => {
    const filter = filled(1000, 5000, spreadOut)
    const loaded = loadBloom(Buffer.concat(filter.save(4711)))
    assert.equal(loaded?.upTo, 4711)
    assert.equal(loaded.filter.count, filter.count)
    for (let i = 0; i < 5000; i++) assert.ok(loaded.filter.mayHave(spreadOut(i)))
    for (let i = 5000; i < 50_000; i++) loaded.filter.add(spreadOut(i))
    assert.ok(falsePositives(loaded.filter, spreadOut) <= 0.001)
  })

  test('is refused when any one byte was changed', () => {
    const file = Buffer.concat(filled(1000, 3000, spreadOut).save())
    fc.assert(
      fc.property(fc.nat(file.length - 1), fc.integer({ min: 1, max: 255 }), (at, change) => {
        const damaged = Buffer.from(file)
        damaged[at]! ^= change
        return loadBloom(damaged) === undefined
      }),
    )
  })

  test('is refused when cut short or prolonged', () => {
    const file = Buffer.concat(filled(1000, 3000, spreadOut).save())
    for (const length of [0, 10, 24, 100, file.length - 1]) assert.equal(loadBloom(file.subarray(0, length)), undefined)
    assert.equal(loadBloom(Buffer.concat([file, Buffer.alloc(1)])), undefined)
  })
})

function filled(expected: number, count: number, keyAt: (i: number) => number): BloomFilter {
  const filter = bloomFilter(expected)
  for (let i = 0; i < count; i++) filter.add(keyAt(i))
  return filter
}

/** Share of "perhaps" among fingerprints that were not added. */
function falsePositives(filter: BloomFilter, keyAt: (i: number) => number): number {
  let wrong = 0
  for (let i = KEYS; i < 6 * KEYS; i++) if (filter.mayHave(keyAt(i))) wrong++
  return wrong / (5 * KEYS)
}

/** Different for each number, over all 53 bits. */
function spreadOut(i: number): number {
  const high = Math.imul(i ^ 0x5bd1e995, 0x2c1b3c6d) >>> 11
  return high * 2 ** 32 + (Math.imul(i, 0x9e3779b1) >>> 0)
}
