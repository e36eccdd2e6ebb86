import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { coverOf, cutInParts, groupedInParts, type Span, type TailChunk, takenIn } from './chunks.ts'

const MIB = 1024 * 1024
const span = (first: number, end: number): Span => ({ first, end })
const bounds = (spans: readonly Span[]) => spans.map(({ first, end }) => [first, end])

/** Flushes of these sizes, one after the other; answers the chunks left small, the largest number of them, and what was written. */
function flushed(sizes: readonly number[], partBytes: number) {
  const tail: TailChunk[] = []
  let end = 0
  let most = 0
  let writtenBytes = 0
  for (const bytes of sizes) {
    const { count, level } = takenIn(tail, bytes, partBytes)
    const taken = tail.splice(tail.length - count)
    const chunk = { first: taken[0]?.first ?? end, end: end + bytes, level }
    end += bytes
    writtenBytes += chunk.end - chunk.first
    if (chunk.end - chunk.first < partBytes) tail.push(chunk)
    most = Math.max(most, tail.length)
  }
  return { tail, most, writtenBytes, bytes: end }
}

test('many small flushes leave few chunks, and write each byte a few times', () => {
  const { most, writtenBytes, bytes } = flushed(Array(3000).fill(10 * 1024), 8 * MIB)
  assert.ok(most <= 28, `${most} chunks`)
  assert.ok(writtenBytes / bytes < 5, `${writtenBytes / bytes} times`)
})

test('a large chunk is not written again for the sake of small ones', () => {
  const { writtenBytes, bytes } = flushed([6 * MIB, ...Array(50).fill(10 * 1024)], 8 * MIB)
  assert.ok(writtenBytes < 1.5 * bytes)
})

test('flushes as large as a part are written once and never touched again', () => {
  const { tail, writtenBytes, bytes } = flushed(Array(20).fill(9 * MIB), 8 * MIB)
  assert.deepEqual(tail, [])
  assert.equal(writtenBytes, bytes)
})

test('chunks that are taken in always follow each other up to the new one', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 1, max: 3 * MIB }), { maxLength: 300 }), (sizes) => {
      const { tail, bytes } = flushed(sizes, 8 * MIB)
      for (const [i, chunk] of tail.entries()) assert.equal(chunk.end, tail[i + 1]?.first ?? bytes)
    }),
  )
})

test('a cover goes on from chunk to chunk and prefers the one that reaches farthest', () => {
  const chunks = [span(0, 2), span(2, 4), span(0, 6), span(4, 6), span(6, 7)]
  assert.deepEqual(bounds(coverOf(chunks, 0)), bounds([span(0, 6), span(6, 7)]))
  assert.deepEqual(bounds(coverOf(chunks, 5)), bounds([span(5, 6), span(6, 7)]))
  assert.deepEqual(coverOf(chunks, 7), [])
})

test('a cover ends at a gap', () => {
  assert.deepEqual(bounds(coverOf([span(0, 2), span(3, 4)], 0)), bounds([span(0, 2)]))
  assert.deepEqual(coverOf([span(3, 4)], 0), [])
})

test('pieces too short for a part are joined, others stay alone', () => {
  const pieces = coverOf([span(0, 9), span(9, 10), span(10, 11), span(11, 19), span(19, 20)], 0)
  assert.deepEqual(groupedInParts(pieces, 5, 100).map(bounds), [
    [[0, 9]],
    [
      [9, 10],
      [10, 11],
      [11, 19],
    ],
    [[19, 20]],
  ])
})

test('a piece too long for a part is divided', () => {
  assert.deepEqual(groupedInParts(coverOf([span(0, 50), span(50, 51)], 0), 5, 20).map(bounds), [
    [[0, 13]],
    [[13, 25]],
    [[25, 38]],
    [[38, 50]],
    [[50, 51]],
  ])
})

test('parts of equal size are the same bytes, and only the last is shorter', () => {
  fc.assert(
    fc.property(
      fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1 }),
      fc.integer({ min: 1, max: 25 }),
      (sizes, part) => {
        let end = 0
        const chunks = sizes.map((size) => span(end, (end += size)))
        const parts = cutInParts(coverOf(chunks, 0), part)
        const lengths = parts.map((pieces) => pieces.reduce((sum, piece) => sum + piece.end - piece.first, 0))
        assert.ok(lengths.slice(0, -1).every((length) => length === part))
        const pieces = parts.flat()
        assert.equal(pieces[0]?.first, 0)
        assert.equal(pieces.at(-1)?.end, end)
        for (const [i, piece] of pieces.slice(1).entries()) assert.equal(piece.first, pieces[i]!.end)
        for (const { chunk, first, end } of pieces) assert.ok(chunk.first <= first && end <= chunk.end)
      },
    ),
  )
})
