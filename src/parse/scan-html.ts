import { Attribute } from './attributes.ts'
import type { HtmlDocument, HtmlOptions } from './html-document.ts'
import { LinkCollector } from './links.ts'
import { MetadataCollector } from './metadata.ts'
import { isSpace } from './raw-text.ts'
import { END_OF_INPUT, END_TAG, RAW_TEXT, Scanner, START_TAG, TEXT } from './scanner.ts'
import { NO_FRAMESET, Tag, tagFlags } from './tags.ts'
import { VisibleText } from './visible-text.ts'

/** Reads a document once and hands each token to those who want it. */
export function scanHtml(bytes: Buffer, options: HtmlOptions): HtmlDocument {
  const { config, allLinks, withText, withLabels = true } = options
  const scanner = new Scanner(bytes, attributesWanted)
  const links = new LinkCollector(scanner, config, allLinks)
  const metadata = new MetadataCollector(scanner, config, withText, options.withData)
  const text = withText ? new VisibleText(scanner, config) : undefined
  scanner.textTo = text?.writer
  /** Content of templates is not part of the document. */
  let templates = 0
  let mayBeFrameset = true
  let isFrameset = false

  for (;;) {
    const token = scanner.next()
    const { tag } = scanner
    if (token === START_TAG) {
      if (tag === Tag.template && !scanner.foreign && !scanner.has(Attribute.shadowrootmode)) templates++
      if (mayBeFrameset && tag === Tag.frameset) isFrameset = true
      else if ((tagFlags[tag]! & NO_FRAMESET) !== 0) mayBeFrameset = scanner.tellsTexts = false
      if (templates > 0) {
        scanner.textTo = undefined
        continue
      }
      if (wanted[tag] !== 0) {
        // Behind a frameset nothing but frames counts, and without one no frame does.
        const link = isFrameset === (tag === Tag.frame) ? links.start() : undefined
        metadata.start()
        if (withLabels && text !== undefined && link !== undefined) text.linkStart(link)
      }
      if (text === undefined) continue
      text.start()
      scanner.textTo = isFrameset ? undefined : text.writer
    } else if (token === END_TAG) {
      if (tag === Tag.template && templates > 0) templates--
      else if (templates === 0) text?.end()
      if (templates === 0 && !isFrameset) scanner.textTo = text?.writer
    } else if (token === TEXT) {
      if (mayBeFrameset && !isBlank(scanner)) mayBeFrameset = scanner.tellsTexts = false
    } else if (token === RAW_TEXT) {
      if (templates > 0) continue
      metadata.rawText()
      if (text !== undefined && !isFrameset) text.rawText()
    } else if (token === END_OF_INPUT) {
      text?.finish()
      return {
        metadata,
        canonicalHref: links.canonicalHref,
        sitemapHrefs: links.sitemapHrefs,
        text: text?.text() ?? '',
        base: (documentUrl, charset) => links.base(documentUrl, charset),
        links: (base) => links.resolved(base, (start, end) => text?.labelBetween(start, end) ?? ''),
        hand: (base, references) => links.hand(base, references),
      }
    }
  }
}

/** By tag number: elements that carry links or metadata. */
const wanted = new Uint8Array(256)
for (const tag of [
  Tag.a,
  Tag.area,
  Tag.iframe,
  Tag.frame,
  Tag.link,
  Tag.base,
  Tag.meta,
  Tag.html,
  Tag.script,
  Tag.time,
])
  wanted[tag] = 1

/** By tag number: elements whose attributes matter; the last two end or change svg and math. */
export const attributesWanted = wanted.slice()
for (const tag of [Tag.template, Tag.font, Tag.annotationXml]) attributesWanted[tag] = 1

function isBlank(scanner: Scanner): boolean {
  for (let i = scanner.start; i < scanner.end; i++) {
    const byte = scanner.bytes[i]!
    if (!isSpace(byte) && byte !== 0) return false
  }
  return true
}
