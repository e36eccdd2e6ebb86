import {
  constants,
  createInflateRaw,
  createZstdCompress,
  deflateRawSync,
  type ZstdOptions,
  zstdDecompressSync,
} from 'node:zlib'

/**
 * One codec of node:zlib for many buffers, each in one synchronous step. `gunzipSync` and its like make a codec for every
 * call, which costs a third of the work on a page and keeps the garbage collector busy with memory that it cannot see.
 * Node has no public way to keep one. So this reaches for private parts, tries whether they are there and do what they
 * should, and otherwise answers `undefined`: then the caller goes the public way.
 */
export type ReusedCodec = (input: Buffer, from: number, output: Buffer) => CodecStep

export interface CodecStep {
  /** Written to the output; −1: the input is broken or ends early, or its result does not fit with a byte to spare. */
  readonly bytes: number
  /** Of the input, beyond the end of the data. */
  readonly unreadBytes: number
}

/** For deflate data without a frame. */
export function reusedInflate(): ReusedCodec | undefined {
  return proven(
    reusedCodec(createInflateRaw, constants.Z_FINISH, true),
    (plain) => deflateRawSync(plain),
    (made) => made,
  )
}

/** Every step makes a frame of its own. */
export function reusedZstd(options: ZstdOptions): ReusedCodec | undefined {
  return proven(
    reusedCodec(() => createZstdCompress(options), constants.ZSTD_e_end, false),
    (plain) => plain,
    (made) => zstdDecompressSync(made),
  )
}

/** What we use of a stream of node:zlib that is not public. */
interface PrivateParts {
  readonly _handle: {
    writeSync(
      flush: number,
      input: Buffer,
      from: number,
      inputBytes: number,
      output: Buffer,
      at: number,
      outputBytes: number,
    ): void
    reset(): void
    onerror: () => void
  }
  /** Room left in the output, bytes left of the input. */
  readonly _writeState: Uint32Array
  destroy(): void
}

const FAILED: CodecStep = { bytes: -1, unreadBytes: 0 }

function reusedCodec(open: () => object, finish: number, resets: boolean): ReusedCodec {
  let failed = false
  let stream: PrivateParts | undefined

  function opened(): PrivateParts {
    const parts = open() as PrivateParts
    parts._handle.onerror = () => {
      failed = true
    }
    return parts
  }

  return (input, from, output) => {
    failed = false
    stream ??= opened()
    const { _handle: handle, _writeState: state } = stream
    if (resets) handle.reset()
    handle.writeSync(finish, input, from, input.length - from, output, 0, output.length)
    const [roomBytes = 0, unreadBytes = 0] = state
    if (!failed && roomBytes > 0) return { bytes: output.length - roomBytes, unreadBytes }
    // In the middle of something: the next step shall not begin there.
    stream.destroy()
    stream = undefined
    return FAILED
  }
}

/** The codec, if it gives twice in a row what the public functions give. */
function proven(
  codec: ReusedCodec,
  encode: (plain: Buffer) => Buffer,
  decode: (made: Buffer) => Buffer,
): ReusedCodec | undefined {
  const plain = Buffer.from('as plain as can be, as plain as can be')
  const output = Buffer.alloc(256)
  try {
    for (let i = 0; i < 2; i++) {
      const { bytes, unreadBytes } = codec(Buffer.concat([Buffer.alloc(i), encode(plain)]), i, output)
      if (bytes < 0 || unreadBytes > 0 || !decode(output.subarray(0, bytes)).equals(plain)) return undefined
    }
    return codec
  } catch (error) {
    // Whatever another version of Node has in these places, it is not what we know.
    if (error instanceof Error) return undefined
    throw error
  }
}
