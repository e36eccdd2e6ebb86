import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { type MergedSegment, mergedInTypeScript } from '../merged-parts.ts'
import { entriesOf, PartBuffer, partBytes } from '../part-buffer.ts'
import { documentItem } from '../postings.ts'
import { writeVarint } from '../varint.ts'
import { mergedInWasm } from './wasm-merged-parts.ts'

const encoder = new TextEncoder()

/** Where a word stands: documents by ordinal, each with so many places. */
interface Written {
  readonly word: string
  readonly documents: readonly (readonly [ordinal: number, places: number])[]
}

/** Parts with these entries, `each` in a part. */
function partsOf(entries: readonly Written[], each: number): Uint8Array[] {
  const parts: Uint8Array[] = []
  const buffer = new PartBuffer()
  for (const [i, { word, documents }] of entries.entries()) {
    const bytes = new Uint8Array(documents.reduce((sum, [, places]) => sum + 5 + places, 0))
    let [end, before] = [0, 0]
    for (const [ordinal, places] of documents) {
      end = writeVarint(bytes, end, ((ordinal - before) << 2) | documentItem)
      for (let place = 0; place < places; place++) bytes[end++] = 4 + 2
      before = ordinal
    }
    const text = encoder.encode(word)
    const postings = { bytes, start: 0, end }
    buffer.add({ word: { bytes: text, start: 0, end: text.length }, lastOrdinal: before, postings })
    if (i % each === each - 1 || i === entries.length - 1) parts.push(buffer.take().slice())
  }
  return parts
}

/** That both ways make the same of segments with these parts, byte for byte. */
function alike(segments: readonly (readonly Uint8Array[])[]): Uint8Array[] {
  const merged = (): MergedSegment[] =>
    segments.map((parts, i) => ({ parts: parts.values(), shift: i * 1000, ordinals: undefined }))
  const all = (parts: Iterator<Uint8Array>) =>
    Iterator.from(parts)
      .map((part) => Uint8Array.from(part))
      .toArray()
  const compiled = all(mergedInWasm(merged())!)
  assert.deepEqual(compiled, all(mergedInTypeScript(merged())))
  return compiled
}

const word = fc.oneof(
  fc.stringMatching(/^[ab]{1,3}$/),
  fc.stringMatching(/^a{6}[ab]{1,4}$/),
  fc.constantFrom('é', '東京', 'a'.repeat(254), 'a'.repeat(255), `${'a'.repeat(254)}b`),
)
const documents = fc
  .uniqueArray(fc.integer({ min: 0, max: 999 }), { minLength: 1, maxLength: 6 })
  .map((ordinals) => ordinals.sort((a, b) => a - b).map((ordinal) => [ordinal, ordinal % 4] as const))
const inOrder = (a: Written, b: Written) => Buffer.compare(encoder.encode(a.word), encoder.encode(b.word))
/** A word may have several entries, one behind the other, in one part or in several. */
const entries = fc
  .uniqueArray(fc.record({ word, documents }), { selector: ({ word }) => word, maxLength: 12 })
  .map((entries) =>
    entries.sort(inOrder).flatMap(({ word, documents }) => {
      const half = documents.length % 2 === 0 ? documents.length / 2 : documents.length
      const halves = [documents.slice(0, half), documents.slice(half)]
      return halves.filter(({ length }) => length > 0).map((documents) => ({ word, documents }))
    }),
  )

test('any segments become what they become in TypeScript', () => {
  const segment = fc.tuple(entries, fc.integer({ min: 1, max: 5 })).map(([entries, each]) => partsOf(entries, each))
  fc.assert(
    fc.property(fc.array(segment, { minLength: 1, maxLength: 8 }), (segments) => void alike(segments)),
    { numRuns: 300 },
  )
})

test('a word whose places fill several parts, in each of the segments', () => {
  const often = Array.from({ length: 900 }, (_, i) => [i, 300] as const)
  const words: Written[] = [...'abc'].map((word) => ({ word, documents: often }))
  const segment = (each: number) => partsOf([...words, { word: 'd', documents: [[1, 1]] }], each)
  const parts = alike([segment(1), segment(2), segment(9)])
  assert.ok(parts.length > 8 && parts.every((part) => part.length < 6 * 900 * 300))
  assert.deepEqual(
    [...new Set(parts.flatMap((part) => [...entriesOf(part)].map(({ word }) => part[word.start])))],
    [...'abcd'].map((letter) => letter.charCodeAt(0)),
  )
  assert.ok(parts.slice(0, -1).every((part) => part.length >= partBytes))
})

test('segments without words become nothing', () => {
  assert.deepEqual(alike([[], []]), [])
})
