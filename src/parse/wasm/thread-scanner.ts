import { loadScanner, type PageScanner } from './page-scanner.ts'

/** A scanner whose memory has grown over this is let go, since such memory never shrinks. */
const MAX_KEPT_BYTES = 16 * 2 ** 20

let scanner: PageScanner | undefined
/** `null`: there is none to be had. */
let newScanner: (() => PageScanner) | null | undefined

/**
 * The scanner of this thread, loaded when it is first asked for; `undefined` where there is no WebAssembly. What it has found
 * stands until somebody asks for it again.
 */
export function threadScanner(): PageScanner | undefined {
  if (newScanner === undefined) newScanner = loadScanner() ?? null
  if (scanner !== undefined && scanner.bytes.length > MAX_KEPT_BYTES) scanner = undefined
  scanner ??= newScanner?.()
  return scanner
}

/** The one that the last document was read with, if any was. */
export function lastScanner(): PageScanner | undefined {
  return scanner
}
