import type { CodecStep, ReusedCodec } from '../../../reused-codec.ts'
import { loadWasm, type Memory } from '../../../web-assembly.ts'
import { lendForeign } from '../../body-buffers.ts'
import * as layout from './layout.ts'

interface InflaterExports {
  readonly memory: Memory
  inflate(inputBytes: number, maxOutputBytes: number): number
  unreadBytes(): number
}

/** One with its own memory, which never grows: larger data are refused. */
interface Inflater {
  readonly exports: InflaterExports
  readonly memory: Buffer
  /** Somebody looks at what it has inflated. */
  isLent: boolean
}

const REFUSED: CodecStep = { bytes: -1, unreadBytes: 0 }
/** A body is read in the turn in which it came, or nearly so: there is hardly ever a second one. */
const MAX_INFLATERS = 4

/** `null`: there is no WebAssembly. */
let newInflater: (() => InflaterExports) | null | undefined
/** Of this thread. */
const inflaters: Inflater[] = []

/**
 * What `reusedInflate` gives, for a quarter less, though data are copied into the memory of an inflater, and out of it unless the
 * output was borrowed there. `undefined` without WebAssembly.
 */
export function wasmInflate(): ReusedCodec | undefined {
  return freeInflater() && inflate
}

/**
 * The output memory of an inflater, whole, which it then writes to without a copy. Nobody else has it until it is given
 * back (`giveBackBuffer`). `undefined`: all are lent, or there is no WebAssembly.
 */
export function borrowOutput(): Buffer | undefined {
  const inflater = freeInflater()
  if (!inflater) return undefined
  inflater.isLent = true
  const output = inflater.memory.subarray(layout.OUTPUT, layout.OUTPUT + layout.MAX_OUTPUT_BYTES + 1)
  return lendForeign(output, () => {
    inflater.isLent = false
  })
}

function inflate(input: Buffer, from: number, output: Buffer): CodecStep {
  const inputBytes = input.length - from
  const ofOutput = inflaters.find(({ isLent, memory }) => isLent && memory.buffer === output.buffer)
  const inflater = ofOutput ?? freeInflater()
  if (!inflater || inputBytes > layout.MAX_INPUT_BYTES || output.length === 0) return REFUSED
  const { memory, exports } = inflater
  input.copy(memory, layout.INPUT, from)
  const bytes = exports.inflate(inputBytes, Math.min(output.length - 1, layout.MAX_OUTPUT_BYTES))
  if (bytes < 0) return REFUSED
  if (!ofOutput) memory.copy(output, 0, layout.OUTPUT, layout.OUTPUT + bytes)
  return { bytes, unreadBytes: exports.unreadBytes() }
}

/** The first that nobody has, since its memory is the likeliest to be in the cache. */
function freeInflater(): Inflater | undefined {
  const free = inflaters.find(({ isLent }) => !isLent)
  if (free || inflaters.length === MAX_INFLATERS) return free
  if (newInflater === undefined)
    newInflater = loadWasm<InflaterExports>(new URL('./inflater.wasm', import.meta.url)) ?? null
  if (!newInflater) return undefined
  const exports = newInflater()
  const inflater = { exports, memory: Buffer.from(exports.memory.buffer), isLent: false }
  inflaters.push(inflater)
  return inflater
}
