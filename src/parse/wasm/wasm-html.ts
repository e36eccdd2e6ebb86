import type { HtmlDocument, HtmlOptions } from '../html-document.ts'
import { type Host, loadScanner, type PageScanner } from './page-scanner.ts'
import { WasmDocument } from './wasm-document.ts'

/** Longer documents are rare, and would need memory that is better not reserved in every thread. */
const MAX_DOCUMENT_BYTES = 16 * 2 ** 20
/** A scanner whose memory has grown over this is let go after the document, since such memory never shrinks. */
const MAX_KEPT_BYTES = 16 * 2 ** 20
/** With less room a text that begins with a character of two units is cut to nothing, which the scanner does not see. */
const MIN_ANCHOR_CHARS = 2

/** Loaded when the first document comes, in each thread; `null`: there is none to be had. */
let newScanner: ((host: Host) => PageScanner) | null | undefined
let scanner: PageScanner | undefined
let reading: WasmDocument | undefined

/** What `scanHtml` answers, from the scanner in WebAssembly; `undefined` where that cannot be used. */
export function readHtmlInWasm(bytes: Buffer, options: HtmlOptions): HtmlDocument | undefined {
  if (bytes.length > MAX_DOCUMENT_BYTES || options.config.maxAnchorChars < MIN_ANCHOR_CHARS) return undefined
  if (newScanner === undefined) newScanner = loadScanner() ?? null
  if (newScanner === null) return undefined
  scanner ??= newScanner(host)
  const used = scanner
  // `<a href>`: no document has more links than this.
  const maxRecords = Math.min(options.config.maxLinks * 2, bytes.length >> 3)
  const hasRoom = used.makeRoom(bytes.length, maxRecords)
  if (used.memoryBytes > MAX_KEPT_BYTES) scanner = undefined
  if (!hasRoom) return undefined
  reading = new WasmDocument(used, bytes, options)
  return reading.read()
}

/** The scanner calls back only while a document is read. */
const host: Host = {
  element: (tag, present, takesLinks) => reading!.element(tag, present, takesLinks === 1),
  rawText: (tag, start, end) => reading!.rawText(tag, start, end),
  rel: (start, end) => reading!.rel(start, end),
  named: (at, end, inAttribute) => reading!.named(at, end, inAttribute === 1),
}
