import assert from 'node:assert/strict'
import { describe, type TestContext, test } from 'node:test'
import fc from 'fast-check'
import type { CanonicalUrl } from '../url/keys.ts'
import type { NearDuplicates } from './near-duplicates.ts'
import { distance } from './simhash.ts'

/** Makes an empty place for one test; the answer opens the adapter there, as often as asked. */
export type NearDuplicatesPlace = (test: TestContext) => () => Promise<NearDuplicates>

/** What every adapter promises: straight, and closed and opened again between act and check. */
export function nearDuplicatesConformance(
  name: string,
  place: NearDuplicatesPlace,
  skip: string | false = false,
): void {
  for (const reopen of [false, true])
    describe(`${name}: near-duplicates${reopen ? ', closed and opened again' : ''}`, { skip }, () =>
      suite(place, reopen),
    )
}

function suite(place: NearDuplicatesPlace, reopen: boolean): void {
  async function after(t: TestContext, act: (near: NearDuplicates) => Promise<unknown>): Promise<NearDuplicates> {
    const open = place(t)
    const near = await open()
    await act(near)
    if (!reopen) return near
    await near[Symbol.asyncDispose]()
    return open()
  }

  test('the first page is an original', async (t) => {
    const near = await after(t, async () => {})
    assert.equal(await near.findOrAdd(A, ZERO), undefined)
  })

  test('a page within 3 bits points at the original, wherever the bits are', async (t) => {
    const near = await after(t, (near) => near.findOrAdd(A, ZERO))
    for (let shift = 0; shift < 62; shift++) assert.equal(await near.findOrAdd(B, hex(7n << BigInt(shift))), A)
    for (const bits of [[0, 20, 40], [15, 31, 63], [63], [0]]) assert.equal(await near.findOrAdd(B, withBits(bits)), A)
  })

  test('a page 4 bits away is an original of its own', async (t) => {
    const near = await after(t, (near) => near.findOrAdd(A, ZERO))
    assert.equal(await near.findOrAdd(B, withBits([1, 2, 3, 4])), undefined)
    assert.equal(await near.findOrAdd(C, withBits([1, 2, 3, 4, 50])), B)
  })

  test('a near-duplicate is not remembered: chains of small changes do not drift', async (t) => {
    const near = await after(t, async (near) => {
      await near.findOrAdd(A, ZERO)
      await near.findOrAdd(B, withBits([0, 1, 2]))
    })
    assert.equal(await near.findOrAdd(C, withBits([0, 1, 2, 3, 4])), undefined)
  })

  test('between two originals the earliest is answered', async (t) => {
    const near = await after(t, async (near) => {
      await near.findOrAdd(A, ZERO)
      await near.findOrAdd(B, withBits([60, 61, 62, 63]))
    })
    assert.equal(await near.findOrAdd(C, withBits([61, 62, 63])), A)
  })

  test('asked again, an original and a near-duplicate get the same answer', async (t) => {
    const near = await after(t, async (near) => {
      await near.findOrAdd(A, ZERO)
      await near.findOrAdd(B, withBits([5]))
      await near.findOrAdd(C, withBits([5, 6, 7, 8]))
    })
    assert.equal(await near.findOrAdd(A, ZERO), undefined)
    assert.equal(await near.findOrAdd(B, withBits([5])), A)
    assert.equal(await near.findOrAdd(C, withBits([5, 6, 7, 8])), undefined)
  })

  test('a page that has changed a little is no duplicate of itself', async (t) => {
    const near = await after(t, (near) => near.findOrAdd(A, ZERO))
    assert.equal(await near.findOrAdd(A, withBits([9])), undefined)
    assert.equal(await near.findOrAdd(B, withBits([9])), A)
  })

  test('a text too short to have a fingerprint is near to nothing', async (t) => {
    const near = await after(t, (near) => near.findOrAdd(A, ''))
    assert.equal(await near.findOrAdd(B, ''), undefined)
  })

  test('answers as a comparison with every original would', async (t) => {
    const open = place(t)
    await using near = await open()
    const originals: { url: CanonicalUrl; simhash: string }[] = []
    let pages = 0
    // Few different blocks, so that buckets are shared by fingerprints that are not near.
    const block = fc.constantFrom('0000', '0001', '0003', '00ff', 'ffff', '8000', 'c001')
    const simhash = fc.tuple(block, block, block, block).map((blocks) => blocks.join(''))
    await fc.assert(
      fc.asyncProperty(simhash, async (simhash) => {
        const url = `https://pages.test/${pages++}` as CanonicalUrl
        const expected = originals.find((original) => distance(original.simhash, simhash) <= 3)?.url
        assert.equal(await near.findOrAdd(url, simhash), expected)
        if (!expected) originals.push({ url, simhash })
      }),
      { numRuns: 500 },
    )
  })
}

const A = 'https://a.test/' as CanonicalUrl
const B = 'https://b.test/' as CanonicalUrl
const C = 'https://c.test/' as CanonicalUrl
const ZERO = '0000000000000000'

function withBits(bits: readonly number[]): string {
  return hex(bits.reduce((sum, bit) => sum | (1n << BigInt(bit)), 0n))
}

function hex(bits: bigint): string {
  return bits.toString(16).padStart(16, '0')
}
