import type { HtmlDocument, HtmlOptions } from './html-document.ts'
import { scanHtml } from './scan-html.ts'
import { readHtmlInWasm } from './wasm/wasm-html.ts'

/** Reads a document once: in WebAssembly where that is to be had, else in TypeScript. Both answer the same. */
export function readHtml(bytes: Buffer, options: HtmlOptions): HtmlDocument {
  return readHtmlInWasm(bytes, options) ?? scanHtml(bytes, options)
}
