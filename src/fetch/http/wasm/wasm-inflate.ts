import type { CodecStep, ReusedCodec } from '../../../reused-codec.ts'
import { loadWasm, type Memory } from '../../../web-assembly.ts'
import * as layout from './layout.ts'

interface InflaterExports {
  readonly memory: Memory
  inflate(inputBytes: number, maxOutputBytes: number): number
  unreadBytes(): number
}

const REFUSED: CodecStep = { bytes: -1, unreadBytes: 0 }

/**
 * What `reusedInflate` gives, for a seventh less, though data are copied into the memory of the inflater and out of it.
 * That memory is its own, and never grows: larger data are refused. `undefined` without WebAssembly.
 */
export function wasmInflate(): ReusedCodec | undefined {
  const instantiate = loadWasm<InflaterExports>(new URL('./inflater.wasm', import.meta.url))
  return instantiate && inflateWith(instantiate())
}

function inflateWith(inflater: InflaterExports): ReusedCodec {
  const memory = Buffer.from(inflater.memory.buffer)
  return (input, from, output) => {
    const inputBytes = input.length - from
    if (inputBytes > layout.MAX_INPUT_BYTES || output.length === 0) return REFUSED
    input.copy(memory, layout.INPUT, from)
    const bytes = inflater.inflate(inputBytes, Math.min(output.length - 1, layout.MAX_OUTPUT_BYTES))
    if (bytes < 0) return REFUSED
    memory.copy(output, 0, layout.OUTPUT, layout.OUTPUT + bytes)
    return { bytes, unreadBytes: inflater.unreadBytes() }
  }
}
