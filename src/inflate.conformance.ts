import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { deflateRawSync, inflateRawSync } from 'node:zlib'
import { type Random, random } from '../test/web/random.ts'
import type { ReusedCodec } from './reused-codec.ts'

const BROKEN = Buffer.from([0xff, 0xff, 0xff, 0xff, 0xff])
const RUNS = 3000
const MAX_PLAIN_BYTES = 40_000

/** What everything that inflates deflate data without a frame promises: to do as node:zlib does. */
export function inflateConformance(name: string, inflate: ReusedCodec): void {
  describe(name, () => {
    const output = Buffer.alloc(MAX_PLAIN_BYTES * 2)

    test('gives what node:zlib gives for data of all kinds, sound, changed and cut, or both refuse', () => {
      const chance = random(1)
      const seen = { given: 0, refused: 0 }
      for (let run = 0; run < RUNS; run++) {
        const input = damaged(deflated(plainOf(chance), chance), chance)
        const expected = byZlib(input, output.length - 1)
        const { bytes, unreadBytes } = inflate(input, 0, output)
        assert.equal(bytes, expected ? expected.plain.length : -1, `run ${run}`)
        if (expected) assert.ok(output.subarray(0, bytes).equals(expected.plain), `run ${run}`)
        if (expected) assert.equal(unreadBytes, expected.unreadBytes, `run ${run}`)
        seen[expected ? 'given' : 'refused']++
      }
      assert.ok(seen.given > RUNS / 4 && seen.refused > RUNS / 4)
    })

    test('gives data of many blocks, also stored and empty ones', () => {
      const piece = Buffer.from('as plain as can be, '.repeat(20))
      const block = deflateRawSync(piece, { finishFlush: 2 })
      const blocks = Array.from({ length: 50 }, () => [block, storedBlock(piece), storedBlock(Buffer.alloc(0))]).flat()
      const input = Buffer.concat([...blocks, deflateRawSync('')])
      const { bytes, unreadBytes } = inflate(input, 0, output)
      assert.deepEqual([bytes, unreadBytes], [piece.length * 100, 0])
      assert.deepEqual(output.subarray(0, bytes), Buffer.alloc(bytes, piece))
    })

    test('says how much of the input lies beyond the data, and begins where it is told to', () => {
      const input = Buffer.concat([Buffer.from('head'), deflateRawSync('data'), Buffer.from('beyond')])
      assert.deepEqual(inflate(input, 4, output), { bytes: 4, unreadBytes: 6 })
    })

    test('fails for what is broken, ends early or does not fit with a byte to spare', () => {
      const sound = deflateRawSync(Buffer.alloc(100, 'ab'))
      assert.equal(inflate(BROKEN, 0, output).bytes, -1)
      for (let end = 0; end < sound.length; end++) assert.equal(inflate(sound.subarray(0, end), 0, output).bytes, -1)
      for (const room of [0, 1, 99, 100]) assert.equal(inflate(sound, 0, Buffer.alloc(room)).bytes, -1)
      assert.equal(inflate(sound, 0, Buffer.alloc(101)).bytes, 100)
    })

    test('refuses what reaches back to before its beginning, whatever was inflated there before', () => {
      const dictionary = Buffer.from('words that both sides know')
      inflate(deflateRawSync(dictionary), 0, output)
      assert.equal(inflate(deflateRawSync(dictionary, { dictionary }), 0, output).bytes, -1)
    })

    test('never writes beyond the output', () => {
      const guarded = Buffer.alloc(64, 7)
      inflate(deflateRawSync(Buffer.alloc(1_000_000)), 0, guarded.subarray(0, 32))
      assert.deepEqual(guarded.subarray(32), Buffer.alloc(32, 7))
    })
  })
}

function byZlib(input: Buffer, maxOutputLength: number): { plain: Buffer; unreadBytes: number } | undefined {
  try {
    const { buffer, engine } = inflateRawSync(input, { maxOutputLength, info: true }) as unknown as Informed
    return { plain: buffer, unreadBytes: input.length - engine.bytesWritten }
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    assert.match(code ?? '', /^(Z_DATA_ERROR|Z_BUF_ERROR|ERR_BUFFER_TOO_LARGE)$/)
    return undefined
  }
}

/** What `info` asks for. */
interface Informed {
  readonly buffer: Buffer
  readonly engine: { readonly bytesWritten: number }
}

/** Noise, few bytes over and over, letters of which some are frequent, words: each asks for other codes and distances. */
function plainOf(chance: Random): Buffer {
  const bytes = chance.below(chance.below(4) > 0 ? 3000 : MAX_PLAIN_BYTES)
  const kinds = [
    () => chance.below(256),
    () => 97 + chance.below(1 + chance.below(20)),
    (i: number) => 97 + (i % (1 + (bytes % 40))),
    (i: number) => (i * i * 2654435761) >>> 27,
  ]
  return Buffer.from(Uint8Array.from({ length: bytes }, (_, i) => kinds[bytes % kinds.length]!(i)))
}

function deflated(plain: Buffer, chance: Random): Buffer {
  return deflateRawSync(plain, {
    level: chance.below(10),
    strategy: chance.below(5),
    memLevel: 1 + chance.below(9),
    windowBits: 9 + chance.below(7),
  })
}

/** A third each: as it was, with a few bits changed, cut. */
function damaged(sound: Buffer, chance: Random): Buffer {
  const way = chance.below(3)
  if (way === 0) return sound
  if (way === 1) return sound.subarray(0, chance.below(sound.length))
  const broken = Buffer.from(sound)
  for (let bits = 1 + chance.below(3); bits > 0; bits--) broken[chance.below(broken.length)]! ^= 1 << chance.below(8)
  return broken
}

/** Not the last one. */
function storedBlock(plain: Buffer): Buffer {
  const head = Buffer.alloc(5)
  head.writeUInt16LE(plain.length, 1)
  head.writeUInt16LE(plain.length ^ 0xffff, 3)
  return Buffer.concat([head, plain])
}
