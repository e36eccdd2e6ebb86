import type { Random } from './random.ts'

/** Few inputs grow as large as this: those that show whether time grows faster than they do. */
const MAX_BYTES = 200_000

const ODD_BYTES = [0, 9, 10, 13, 32, 34, 37, 38, 39, 45, 47, 60, 62, 91, 127, 128, 192, 194, 237, 239, 254, 255]

export interface Material {
  readonly corpus: readonly Buffer[]
  /** What means something to the part: tags, names, escapes. */
  readonly words: readonly string[]
}

/** An input that nobody wrote: one of the corpus, changed in a few places. */
export function mutated({ corpus, words }: Material, random: Random): Buffer {
  let input = random.pick(corpus)
  const changes = 1 + random.below(8)
  for (let i = 0; i < changes; i++) input = random.pick(CHANGES)(input, random, words, corpus)
  if (random.rarely(200)) input = repeated(input, random, MAX_BYTES)
  return input.length > MAX_BYTES ? input.subarray(0, MAX_BYTES) : input
}

type Change = (input: Buffer, random: Random, words: readonly string[], corpus: readonly Buffer[]) => Buffer

const CHANGES: readonly Change[] = [
  (input, random) => withByte(input, random, random.pick(ODD_BYTES)),
  (input, random) => withByte(input, random, random.below(256)),
  (input, random) => {
    const [start, end] = range(input, random)
    return Buffer.concat([input.subarray(0, start), input.subarray(end)])
  },
  (input, random) => {
    const [start, end] = range(input, random)
    const at = random.below(input.length + 1)
    return Buffer.concat([input.subarray(0, at), input.subarray(start, end), input.subarray(at)])
  },
  (input, random, words) => inserted(input, random, Buffer.from(random.pick(words))),
  (input, random, words) => inserted(input, random, Buffer.from(random.pick(words))),
  (input, random) => inserted(input, random, Buffer.from([random.pick(ODD_BYTES), random.below(256)])),
  (input, random, _, corpus) => {
    const other = random.pick(corpus)
    return Buffer.concat([
      input.subarray(0, random.below(input.length + 1)),
      other.subarray(random.below(other.length + 1)),
    ])
  },
  (input, random) => input.subarray(0, random.below(input.length + 1)),
  (input, random) => repeated(input, random, 2000),
]

function withByte(input: Buffer, random: Random, byte: number): Buffer {
  if (input.length === 0) return Buffer.from([byte])
  const copy = Buffer.from(input)
  copy[random.below(copy.length)] = byte
  return copy
}

function inserted(input: Buffer, random: Random, what: Buffer): Buffer {
  const at = random.below(input.length + 1)
  return Buffer.concat([input.subarray(0, at), what, input.subarray(at)])
}

function range(input: Buffer, random: Random): [start: number, end: number] {
  const start = random.below(input.length + 1)
  return [start, Math.min(input.length, start + 1 + random.below(40))]
}

/** A short piece, over and over: what makes careless code slow. */
function repeated(input: Buffer, random: Random, bytes: number): Buffer {
  const [start, end] = range(input, random)
  if (start === end) return input
  const piece = input.subarray(start, end)
  const middle = Buffer.alloc(Math.floor(random.below(bytes) / piece.length) * piece.length, piece)
  return Buffer.concat([input.subarray(0, end), middle, input.subarray(end)])
}
