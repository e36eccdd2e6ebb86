import {
  byteAt, EXCLAMATION, GREATER_THAN, isLetter, isSpace, LESS_THAN, oneOf64, QUESTION, SLASH, whiteSpace,
} from './bytes'
import { endForeign, isForeignInside, isForeignTouched, resetForeign, startForeign } from './foreign'
import {
  ALL_LINKS, ATTRIBUTES_WANTED, CELLS, HREFS_AT, HREFS_BYTES, INPUT, KIND_A, KIND_AREA, KIND_FRAME, KIND_IFRAME,
  KIND_REFRESH, LINK_COUNT, LINK_NUMBERS, LINKS_AT, OPENS, TAG_FLAGS, TAG_NAMES, TEXT_AT, TEXT_BYTES,
  WITH_DATA, WITH_LABELS, WITH_TEXT,
} from './layout'
import {
  addForeignLink, addLink, addReference, endLabel, hashBytes, hrefsBytes, labelFromDocument, linkCount, resetLabels,
  resetLinks, startLabel,
} from './links'
import { mayBeKept } from './meta'
import { tagNamed } from './names'
import { nextOpen, openAt, resetOpens } from './opens'
import { depth, endElement, refuses, resetOpenElements, startElement } from './open-elements'
import { Attribute, BLOCK, NO_FRAMESET, RAW, RCDATA, SPACE, Tag, UNSEEN } from './tables'
import { addBlank, addRawText, addTextToken, breakLine, labelEnd, partWords, resetText } from './text'
import {
  afterDeclaration, afterGreaterThan, ALL, cdataEnd, has, HIDDEN_ONLY, NONE, present, rawTextEnd, readAttributes, scriptEnd,
  selfClosing, tagNameEnd, textTokenEnd, valueEnd, valueIs, valueStart,
} from './tokenizer'

/**
 * The twin of `readHtml` in `html.ts`: one pass over a document that lies in memory. Links and visible text are written
 * here; rare elements (`meta`, `link`, `base`, `time`, JSON-LD…) are handed to the host at once, which reads their
 * attributes where they lie and keeps what they mean.
 */

/** A start tag. Answers the kind of the link that it is, with the number of its `rel` from bit 8 on; or 1 for JSON-LD. */
@external('host', 'element')
declare function hostElement(tag: i32, present: u32, takesLinks: bool): i32
/** Content of a title or of JSON-LD. */
@external('host', 'rawText')
declare function hostRawText(tag: i32, start: i32, end: i32): void

const NOT_HIDDEN = 0x3fffffff

let textAt: usize = 0
let stackAt: usize = 0
let linksAt: usize = 0
let hashesAt: usize = 0
let hrefsAt: usize = 0
let maxLinks: u32 = 0

/** Of the last start tag. */
let tag = 0
let withText: bool = false
let withLabels: bool = false
let withData: bool = false
let templates = 0
let mayBeFrameset: bool = true
let isFrameset: bool = false
let isForeign: bool = false
let hiddenDepth = NOT_HIDDEN
/** Element whose raw text comes next, or 0. */
let rawIn = 0
let isJsonLd: bool = false

/** Zeros behind the document, so that no search needs to ask where in its last 64 bytes the document ends. */
const BEHIND = 96

/** Makes room for a document and all that can come of it. False: there is none. */
export function prepare(length: u32, maxRecords: u32): bool {
  const padded = (length + BEHIND + 31) & ~31
  maxLinks = maxRecords
  stackAt = INPUT + padded
  // The shortest tag has three bytes. References may stand for more bytes than they have, by a fifth at most.
  textAt = stackAt + ((length / 3 + 31) & ~15)
  linksAt = textAt + ((length + (length >> 2) + 127) & ~15)
  hashesAt = linksAt + maxRecords * LINK_NUMBERS * 4 + 16
  // A NUL in a reference becomes three bytes.
  hrefsAt = (hashesAt + hashBytes(maxRecords) + 15) & ~15
  const needed = (hrefsAt + length * 3 + 64 + 0xffff) >> 16
  return needed <= <usize>memory.size() || memory.grow(<i32>(needed - memory.size())) >= 0
}

export function readPage(length: u32, options: i32, maxTextBytes: u32, maxLabelBytes: u32): void {
  const end = INPUT + length
  memory.fill(end, 0, BEHIND)
  withText = (options & WITH_TEXT) != 0
  withLabels = (options & WITH_LABELS) != 0
  withData = (options & WITH_DATA) != 0
  templates = rawIn = 0
  mayBeFrameset = true
  isFrameset = isForeign = isJsonLd = false
  hiddenDepth = NOT_HIDDEN
  resetForeign()
  resetOpenElements(stackAt)
  resetText(textAt, maxTextBytes)
  resetLinks(linksAt, maxLinks, hrefsAt, hashesAt, (options & ALL_LINKS) != 0)
  resetLabels(textAt, maxLabelBytes)
  readTokens(end)
  if (withText) endLabel()
  const textStop = labelEnd(textAt, maxTextBytes)
  setCell(TEXT_AT, <i32>textAt)
  setCell(TEXT_BYTES, <i32>(textStop - textAt))
  setCell(LINKS_AT, <i32>linksAt)
  setCell(LINK_COUNT, linkCount())
  setCell(HREFS_AT, <i32>hrefsAt)
  setCell(HREFS_BYTES, hrefsBytes())
}

@inline function setCell(cell: i32, value: i32): void {
  store<i32>(CELLS + cell * 4, value)
}

@inline function flagsOf(tag: i32): u32 {
  return load<u16>(TAG_FLAGS + tag * 2)
}

function readTokens(end: usize): void {
  resetOpens(INPUT)
  let at: usize = INPUT
  let cursor: usize = OPENS
  while (at < end) {
    cursor = nextOpen(cursor, at, end)
    const open = openAt(cursor)
    const isEnd = byteAt(open + 1) == SLASH
    const nameAt = open + 1 + <usize>isEnd
    if (isLetter(byteAt(nameAt))) {
      if (open != at) passText(at, open)
      const nameEnd = tagNameEnd(open, end)
      const name = tagNamed(nameAt, nameEnd)
      at = isEnd ? readEndTag(name, nameEnd, end) : readStartTag(name, nameEnd, end)
      if (at == 0) return
      if (rawIn != 0) at = readRawText(at, end)
    } else at = open == at ? readOddMarkup(at, end) : readText(at, end)
  }
}

/** Text between two tags, without a `<`. */
@inline function passText(from: usize, to: usize): void {
  if (mayBeFrameset) noteText(from, to)
  if (!isSeen()) return
  if (from + blankBytes(from) >= to) addBlank()
  else addTextToken(from, to)
}

/** White space from here on, up to 64 bytes: what mostly stands between two tags. */
@inline function blankBytes(at: usize): usize {
  const blank = oneOf64(v128.load(at), v128.load(at, 16), v128.load(at, 32), v128.load(at, 48), whiteSpace())
  return <usize>ctz(~blank)
}

/** `<` without the name of a tag behind it. */
function readOddMarkup(at: usize, end: usize): usize {
  const byte = byteAt(at + 1)
  if (byte == SLASH) {
    if (at + 2 >= end) return readText(at, end)
    return byteAt(at + 2) == GREATER_THAN ? at + 3 : afterGreaterThan(at + 2, end)
  }
  if (byte == EXCLAMATION) return isCdata(at + 2) ? readCdata(at + 9, end) : afterDeclaration(at + 2, end)
  return byte == QUESTION ? afterGreaterThan(at + 2, end) : readText(at, end)
}

function isCdata(at: usize): bool {
  return isForeignInside() && load<u32>(at) == 0x4144435b && load<u32>(at + 3) == 0x5b415441
}

function readCdata(from: usize, end: usize): usize {
  const close = cdataEnd(from, end)
  if (isSeen()) addRawText(from, close, false)
  noteText(from, close)
  return close == end ? end : close + 3
}

function readText(from: usize, end: usize): usize {
  const after = isSeen() ? addTextToken(from, end) : textTokenEnd(from, end)
  noteText(from, after)
  return after
}

/** Is what stands here part of the visible text? */
@inline function isSeen(): bool {
  return withText && templates == 0 && !isFrameset && hiddenDepth == NOT_HIDDEN
}

@inline function noteText(from: usize, to: usize): void {
  if (mayBeFrameset && !isBlank(from, to)) mayBeFrameset = false
}

function isBlank(from: usize, to: usize): bool {
  for (let at = from; at < to; at++) if (!isSpace(byteAt(at)) && byteAt(at) != 0) return false
  return true
}

function readRawText(from: usize, end: usize): usize {
  const element = rawIn
  rawIn = 0
  const after = endOfRaw(element, from, end)
  if (templates > 0) return after
  if (element == Tag.title || (element == Tag.script && isJsonLd))
    hostRawText(element, <i32>(from - INPUT), <i32>(after - INPUT))
  const isShown = element == Tag.textarea || element == Tag.xmp || element == Tag.plaintext
  if (isShown && isSeen()) addRawText(from, after, (flagsOf(element) & RCDATA) != 0)
  return after
}

function endOfRaw(element: i32, from: usize, end: usize): usize {
  if (element == Tag.plaintext) return end
  const name = <usize>(TAG_NAMES + element * 16)
  if (element == Tag.script) return scriptEnd(from, end, name)
  let length: usize = 0
  while (byteAt(name + length) != 0) length++
  return rawTextEnd(from, end, name, length)
}

function readEndTag(tag: i32, nameEnd: usize, end: usize): usize {
  const after = readAttributes(nameEnd, end, NONE)
  if (after == 0) return 0
  if (isForeignTouched()) endForeign(tag)
  if (tag == Tag.template && templates > 0) templates--
  else if (templates == 0 && withText) {
    const ended = endElement(tag)
    if (depth() <= hiddenDepth) hiddenDepth = NOT_HIDDEN
    if (tag == Tag.a) endLabel()
    part(tag == Tag.p || tag == Tag.br ? ended | flagsOf(tag) : ended)
  }
  return after
}

@inline function part(flags: u32): void {
  if ((flags & BLOCK) != 0) breakLine()
  else if ((flags & SPACE) != 0) partWords()
}

function readStartTag(name: i32, nameEnd: usize, end: usize): usize {
  tag = name
  const wanted = load<u8>(ATTRIBUTES_WANTED + name) != 0 ? ALL : withText ? HIDDEN_ONLY : NONE
  const after = readAttributes(nameEnd, end, wanted)
  if (after == 0) return 0
  enterForeign()
  if (!isForeign && (flagsOf(tag) & (RAW | RCDATA)) != 0) rawIn = tag
  if (tag == Tag.template && !isForeign && !has(Attribute.shadowrootmode)) templates++
  if (mayBeFrameset && tag == Tag.frameset) isFrameset = true
  else if ((flagsOf(tag) & NO_FRAMESET) != 0) mayBeFrameset = false
  if (templates > 0) return after
  if (wanted == ALL) element()
  if (withText && startVisible()) part(flagsOf(tag))
  return after
}

function enterForeign(): void {
  isForeign = false
  if (!isForeignTouched() && tag != Tag.svg && tag != Tag.math) return
  const breaksOut = has(Attribute.color) || has(Attribute.face) || has(Attribute.size)
  isForeign = startForeign(tag, selfClosing, breaksOut, hasHtmlEncoding())
}

function hasHtmlEncoding(): bool {
  if (tag != Tag.annotationXml || !has(Attribute.encoding)) return false
  return valueIs(Attribute.encoding, 'text/html') || valueIs(Attribute.encoding, 'application/xhtml+xml')
}

/** Answers whether the start tag counts. */
function startVisible(): bool {
  if (refuses(tag)) return false
  const before = startElement(tag)
  if (before <= hiddenDepth) hiddenDepth = NOT_HIDDEN
  if (isForeign && selfClosing) endElement(tag)
  else if (hiddenDepth == NOT_HIDDEN && depth() > before && hides()) hiddenDepth = before
  return true
}

function hides(): bool {
  if (isForeign) return isForeignNote()
  if ((flagsOf(tag) & UNSEEN) != 0) return !(tag == Tag.template && has(Attribute.shadowrootmode))
  return has(Attribute.hidden) && !valueIs(Attribute.hidden, 'until-found')
}

function isForeignNote(): bool {
  if (tag == Tag.title || tag == Tag.desc || tag == Tag.metadata || tag == Tag.style) return true
  return tag == Tag.script || tag == Tag.annotation || tag == Tag.annotationXml
}

/** An element that carries links or metadata. Behind a frameset nothing but frames counts, without one no frame does. */
function element(): void {
  const takesLinks = isFrameset == (tag == Tag.frame)
  if (tag == Tag.a) {
    const link = takesLinks ? reference(KIND_A, Attribute.href) : 0
    if (link != 0 && withLabels) startLabel(link)
  } else if (tag == Tag.area) {
    if (takesLinks) reference(KIND_AREA, Attribute.href)
  } else if (tag == Tag.iframe) {
    if (takesLinks) reference(KIND_IFRAME, Attribute.src)
  } else if (tag == Tag.frame) {
    if (takesLinks) reference(KIND_FRAME, Attribute.src)
  } else if (tag == Tag.link) {
    if (takesLinks && has(Attribute.rel) && has(Attribute.href) && !isForBrowsers()) linkElement()
  } else if (tag == Tag.script) {
    isJsonLd = withText && mayBeJsonLd() && hostElement(tag, present, takesLinks) != 0
  } else if (isOfInterest()) {
    if (hostElement(tag, present, takesLinks) == KIND_REFRESH) addForeignLink(KIND_REFRESH)
  }
}

function isOfInterest(): bool {
  if (tag == Tag.meta) return has(Attribute.content) && (withData || mayBeKept())
  if (tag == Tag.base) return has(Attribute.href)
  return tag == Tag.html || (tag == Tag.time && has(Attribute.datetime))
}

/** A type as long as that of JSON-LD, since no character reference is shorter than what it stands for. */
function mayBeJsonLd(): bool {
  return has(Attribute.type) && valueEnd(Attribute.type) - valueStart(Attribute.type) >= JSON_LD_BYTES
}

const JSON_LD_BYTES: usize = 'application/ld+json'.length

/** The most usual `link` elements, which the host would only look at and pass over. */
function isForBrowsers(): bool {
  if (valueIs(Attribute.rel, 'stylesheet') || valueIs(Attribute.rel, 'preload')) return true
  if (valueIs(Attribute.rel, 'dns-prefetch') || valueIs(Attribute.rel, 'preconnect')) return true
  if (valueIs(Attribute.rel, 'icon') || valueIs(Attribute.rel, 'shortcut icon')) return true
  return valueIs(Attribute.rel, 'apple-touch-icon')
}

function reference(kind: i32, attribute: i32): usize {
  if (!has(attribute)) return 0
  const hasRel = has(Attribute.rel)
  const relStart = hasRel ? valueStart(Attribute.rel) : 0
  const relEnd = hasRel ? valueEnd(Attribute.rel) : 0
  return addReference(kind, valueStart(attribute), valueEnd(attribute), relStart, relEnd)
}

function linkElement(): void {
  const answer = hostElement(tag, present, true)
  if (answer == 0) return
  const link = addLink(answer & 0xff, valueStart(Attribute.href), valueEnd(Attribute.href), answer >> 8)
  if (link != 0 && has(Attribute.hreflang))
    labelFromDocument(link, valueStart(Attribute.hreflang), valueEnd(Attribute.hreflang))
}
