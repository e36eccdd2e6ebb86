import { HIGH, LOW } from './layout.ts'
import { threadScanner } from './thread-scanner.ts'

/** Longer texts are left to TypeScript. */
const MAX_UNITS = 2 ** 21

/** What `simhash` of `dedup/simhash.ts` answers, a little sooner; `undefined` where WebAssembly cannot be used. */
export function simhashInWasm(text: string): string | undefined {
  if (text.length > MAX_UNITS) return undefined
  const scanner = threadScanner()
  if (!scanner?.makeRoomForText(text.length)) return undefined
  return scanner.simhash(text) ? hex(scanner.cell(HIGH)) + hex(scanner.cell(LOW)) : ''
}

function hex(bits: number): string {
  return (bits >>> 0).toString(16).padStart(8, '0')
}
