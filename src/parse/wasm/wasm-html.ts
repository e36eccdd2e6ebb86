import type { HtmlDocument, HtmlOptions } from '../html-document.ts'
import { threadScanner } from './thread-scanner.ts'
import { WasmDocument } from './wasm-document.ts'

/** Longer documents are rare, and would need memory that is better not reserved in every thread. */
const MAX_DOCUMENT_BYTES = 16 * 2 ** 20
/** With less room a text that begins with a character of two units is cut to nothing, which the scanner does not see. */
const MIN_ANCHOR_CHARS = 2

/** What `scanHtml` answers, from the scanner in WebAssembly; `undefined` where that cannot be used. */
export function readHtmlInWasm(bytes: Buffer, options: HtmlOptions): HtmlDocument | undefined {
  const { maxAnchorChars, maxLinks } = options.config
  if (bytes.length > MAX_DOCUMENT_BYTES || maxAnchorChars < MIN_ANCHOR_CHARS) return undefined
  const scanner = threadScanner()
  // `<a href>`: no document has more links than one for each eight bytes.
  if (!scanner?.makeRoom(bytes.length, Math.min(maxLinks * 2, bytes.length >> 3))) return undefined
  return new WasmDocument(scanner, bytes, options).read()
}
