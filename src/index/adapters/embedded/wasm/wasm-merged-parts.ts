import { loadWasm, type Memory } from '../../../../web-assembly.ts'
import type { MergedSegment } from '../merged-parts.ts'
import * as layout from './layout.ts'

interface MergeExports {
  readonly memory: Memory
  beginMerge(inputs: number): void
  setShift(input: number, shift: number): void
  roomForPart(input: number, bytes: number): number
  partCame(input: number, bytes: number): void
  emptyPart(): void
  /** The input whose next part is wanted, or what there is to do with the part that was written. */
  merge(): number
}

/** `null`: there is none to be had. */
let instantiate: (() => MergeExports) | null | undefined

/** What `mergedInTypeScript` answers for segments none of whose documents are gone; `undefined` without WebAssembly. */
export function mergedInWasm(segments: readonly MergedSegment[]): Iterator<Uint8Array> | undefined {
  if (instantiate === undefined) instantiate = loadWasm(new URL('./word-table.wasm', import.meta.url)) ?? null
  return instantiate ? mergedBy(instantiate(), segments) : undefined
}

function* mergedBy(merger: MergeExports, segments: readonly MergedSegment[]): Generator<Uint8Array> {
  merger.beginMerge(segments.length)
  for (const [i, { shift }] of segments.entries()) merger.setShift(i, shift)
  for (;;) {
    const wanted = merger.merge()
    if (wanted < segments.length) {
      bring(merger, wanted, segments[wanted]!)
      continue
    }
    const cells = new Uint32Array(merger.memory.buffer, layout.CELLS, layout.CELL_COUNT)
    const bytes = cells[layout.PART_BYTES]!
    if (bytes > 0) yield new Uint8Array(merger.memory.buffer, cells[layout.PART_AT]!, bytes)
    if (wanted === layout.ALL_IS_MERGED) return
    merger.emptyPart()
  }
}

function bring(merger: MergeExports, input: number, { parts }: MergedSegment): void {
  const { value: part, done } = parts.next()
  const bytes = done ? 0 : part.length
  const room = merger.roomForPart(input, bytes)
  if (!done) new Uint8Array(merger.memory.buffer).set(part, room)
  merger.partCame(input, bytes)
}
