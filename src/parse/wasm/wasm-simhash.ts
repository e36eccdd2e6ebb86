import { byteLengthOf, type PageText } from '../page-text.ts'
import { HIGH, LOW } from './layout.ts'
import { threadScanner } from './thread-scanner.ts'

/** Longer texts are left to TypeScript. */
const MAX_BYTES = 2 ** 21

/**
 * What `simhash` of `dedup/simhash.ts` answers, in a third of the time; `undefined` where WebAssembly cannot be used, or for
 * half a character. The text of the document that was read last is not copied again.
 */
export function simhashInWasm(text: PageText): string | undefined {
  if (byteLengthOf(text) > MAX_BYTES) return undefined
  const scanner = threadScanner()
  if (!scanner?.makeRoomForText(text)) return undefined
  return scanner.simhash() ? hex(scanner.cell(HIGH)) + hex(scanner.cell(LOW)) : ''
}

function hex(bits: number): string {
  return (bits >>> 0).toString(16).padStart(8, '0')
}
