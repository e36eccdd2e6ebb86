import { Attribute } from './attributes.ts'
import { decodeText } from './character-references.ts'
import { destination, fence } from './markdown-escape.ts'
import { MAX_ROWS, markdownTable } from './markdown-table.ts'
import { MarkdownWriter } from './markdown-writer.ts'
import { Base } from './resolve.ts'
import { END_OF_INPUT, END_TAG, RAW_TEXT, Scanner, START_TAG, TEXT } from './scanner.ts'
import { BLOCK, Tag, tagFlags, tagName } from './tags.ts'
import { collapse, truncate } from './truncate.ts'
import { Visibility } from './visibility.ts'
import { isShownRaw } from './visible-text.ts'

const MAX_URL_CHARS = 4096

/**
 * A document in UTF-8 → Markdown of what a reader sees. Links and images become absolute; those that lead elsewhere than to
 * the web (`javascript:`, `data:`) leave only their text.
 */
export function toMarkdown(bytes: Buffer, url: string, maxChars = 2_000_000): string {
  return new MarkdownConverter(bytes, url, maxChars).convert()
}

const SPAN_MARKS: Readonly<Record<string, string>> = {
  b: '**',
  strong: '**',
  i: '*',
  em: '*',
  del: '~~',
  s: '~~',
  strike: '~~',
}

class MarkdownConverter {
  readonly #scanner: Scanner
  readonly #visibility: Visibility
  readonly #base: Base
  readonly #maxChars: number
  /** Where words go: the document, or the cell of a table. */
  #writer: MarkdownWriter
  readonly #document: MarkdownWriter
  readonly #lists: { readonly ordered: boolean; next: number }[] = []
  /** Text of `code` or `pre`, kept as it is. */
  #code: { readonly isBlock: boolean; language: string; text: string } | undefined
  #rows: string[][] | undefined
  #tableDepth = 0
  #templates = 0

  constructor(bytes: Buffer, url: string, maxChars: number) {
    this.#scanner = new Scanner(bytes)
    this.#visibility = new Visibility(this.#scanner)
    this.#base = new Base(baseOf(bytes, url), MAX_URL_CHARS)
    this.#maxChars = maxChars
    this.#document = this.#writer = new MarkdownWriter(maxChars)
  }

  convert(): string {
    const scanner = this.#scanner
    for (let token = scanner.next(); token !== END_OF_INPUT && !this.#document.isFull; token = scanner.next()) {
      if (token === START_TAG) this.#start()
      else if (token === END_TAG) this.#end()
      else if (token === TEXT || (token === RAW_TEXT && isShownRaw(scanner.tag))) this.#text()
    }
    if (this.#code) this.#endCode()
    if (this.#tableDepth > 0) this.#endTable()
    return truncate(this.#document.toString(), this.#maxChars)
  }

  #text(): void {
    if (!this.#visibility.visible || this.#templates > 0) return
    const { bytes, start, end, references } = this.#scanner
    const text = references ? decodeText(bytes, start, end, false) : bytes.toString('utf8', start, end)
    if (this.#code) this.#code.text += text
    else this.#writer.text(text.replaceAll('\0', ''))
  }

  #start(): void {
    const scanner = this.#scanner
    const { tag } = scanner
    if (tag === Tag.template && !scanner.foreign && !scanner.has(Attribute.shadowrootmode)) this.#templates++
    if (this.#templates > 0 || !this.#visibility.start() || !this.#visibility.visible || scanner.foreign) return
    const name = tagName(tag)
    if (this.#code) this.#startInCode(name)
    else if (name === 'pre' || name === 'listing') this.#startCode(true)
    else if (name === 'code' || name === 'kbd' || name === 'samp' || name === 'tt') this.#startCode(false)
    else if (name === 'a') this.#startLink()
    else if (name === 'img') this.#image()
    else if (name === 'br') this.#lineBreak()
    else if (SPAN_MARKS[name]) this.#writer.openSpan(SPAN_MARKS[name], SPAN_MARKS[name])
    else if (name === 'table' || this.#tableDepth > 0) this.#startInTable(name)
    else this.#startBlock(name)
  }

  #end(): void {
    const { tag } = this.#scanner
    if (tag === Tag.template && this.#templates > 0) {
      this.#templates--
      return
    }
    if (this.#templates > 0) return
    const wasVisible = this.#visibility.visible
    const counts = this.#visibility.end()
    if (!wasVisible) return
    const name = tagName(tag)
    if (this.#code) {
      const ends = this.#code.isBlock
        ? name === 'pre' || name === 'listing'
        : ['code', 'kbd', 'samp', 'tt'].includes(name)
      if (ends || (!this.#code.isBlock && (tagFlags[tag]! & BLOCK) !== 0)) this.#endCode()
    }
    if (name === 'a') this.#writer.closeSpan((mark) => mark.startsWith(']('))
    else if (SPAN_MARKS[name]) this.#writer.closeSpan((mark) => mark === SPAN_MARKS[name])
    else if (this.#tableDepth > 0) this.#endInTable(name)
    else if (counts) this.#endBlock(name)
  }

  #startBlock(name: string): void {
    const writer = this.#writer
    const level = /^h([1-6])$/.exec(name)
    if (level) writer.startHeading(Number(level[1]))
    else if (name === 'hr') writer.block(['---'])
    else if (name === 'ul' || name === 'ol' || name === 'menu' || name === 'dir') this.#startList(name === 'ol')
    else if (name === 'li') this.#startItem()
    else if (name === 'blockquote') {
      writer.breakLine(true)
      writer.openContainer('quote', '> ', '> ')
    } else this.#separate(name)
  }

  #endBlock(name: string): void {
    const writer = this.#writer
    if (name === 'ul' || name === 'ol' || name === 'menu' || name === 'dir') {
      writer.closeContainer('list')
      this.#lists.pop()
      writer.breakLine(this.#lists.length === 0)
    } else if (name === 'li') {
      writer.closeContainer('item', 'list')
      writer.breakLine(false)
    } else if (name === 'blockquote') {
      writer.closeContainer('quote')
      writer.breakLine(true)
    } else this.#separate(name)
  }

  #separate(name: string): void {
    const { tag } = this.#scanner
    if (/^h[1-6]$/.test(name)) this.#writer.breakLine(true)
    else if (name === 'dd' || name === 'option') this.#writer.breakLine(false)
    else if ((tagFlags[tag]! & BLOCK) !== 0) this.#writer.breakLine(true)
  }

  #startList(ordered: boolean): void {
    this.#writer.breakLine(this.#lists.length === 0)
    const start = Number.parseInt(this.#value(Attribute.start), 10)
    this.#lists.push({ ordered, next: ordered && start >= 0 && start < 1e9 ? start : 1 })
    this.#writer.openContainer('list', '', '')
  }

  #startItem(): void {
    const writer = this.#writer
    writer.closeContainer('item', 'list')
    writer.breakLine(false)
    const list = this.#lists.at(-1)
    const bullet = list?.ordered ? `${list.next++}. ` : '- '
    writer.openContainer('item', bullet, ' '.repeat(bullet.length))
  }

  #startLink(): void {
    this.#writer.closeSpan((mark) => mark.startsWith(']('))
    const url = this.#url(Attribute.href)
    if (url !== '') this.#writer.openSpan('[', `](${destination(url)})`)
  }

  #image(): void {
    const url = this.#url(Attribute.src)
    const alt = truncate(collapse(this.#value(Attribute.alt)), 500).replace(/[\\[\]]/g, '\\$&')
    if (url !== '') this.#writer.raw(`![${alt}](${destination(url)})`)
  }

  #lineBreak(): void {
    if (this.#tableDepth > 0) this.#writer.text(' ')
    else this.#writer.hardBreak()
  }

  #startCode(isBlock: boolean): void {
    if (isBlock && this.#tableDepth > 0) return
    this.#code = { isBlock, language: this.#language(), text: '' }
  }

  #startInCode(name: string): void {
    if (!this.#code) return
    if (name === 'br') this.#code.text += '\n'
    else if (this.#code.isBlock && name === 'code') this.#code.language ||= this.#language()
  }

  #endCode(): void {
    const code = this.#code
    this.#code = undefined
    if (!code) return
    if (code.isBlock) {
      const text = code.text.replace(/^\r?\n/, '').trimEnd()
      const marks = fence(text, 3)
      if (text !== '') this.#writer.block([marks + code.language, ...text.split(/\r?\n/), marks])
      return
    }
    const text = collapse(code.text)
    if (text === '') return
    const marks = fence(text, 1)
    const gap = text.startsWith('`') || text.endsWith('`') ? ' ' : ''
    if (/^\s/.test(code.text)) this.#writer.text(' ')
    this.#writer.raw(marks + gap + (this.#tableDepth > 0 ? text.replaceAll('|', '\\|') : text) + gap + marks)
    if (/\s$/.test(code.text)) this.#writer.text(' ')
  }

  /** `class="language-ts"`, as the HTML standard suggests it. */
  #language(): string {
    return /(?:^|\s)lang(?:uage)?-([\w+#-]{1,30})/.exec(this.#value(Attribute.class))?.[1] ?? ''
  }

  #startInTable(name: string): void {
    if (name === 'table') {
      if (this.#tableDepth++ === 0) {
        this.#rows = []
        this.#writer = new MarkdownWriter(this.#maxChars)
      } else this.#writer.text(' ')
    } else if (this.#tableDepth > 1) this.#writer.text(' ')
    else if (name === 'tr') {
      this.#endCell()
      if (this.#rows!.length < MAX_ROWS) this.#rows!.push([])
    } else if (name === 'td' || name === 'th') {
      this.#endCell()
      if (this.#rows!.length === 0) this.#rows!.push([])
      this.#rows!.at(-1)!.push('')
    } else if ((tagFlags[this.#scanner.tag]! & BLOCK) !== 0) this.#writer.text(' ')
  }

  #endInTable(name: string): void {
    if (name !== 'table') {
      if (this.#tableDepth === 1 && (name === 'td' || name === 'th' || name === 'tr')) this.#endCell()
      else if ((tagFlags[this.#scanner.tag]! & BLOCK) !== 0) this.#writer.text(' ')
    } else if (--this.#tableDepth === 0) this.#endTable()
  }

  /** What was gathered is the last cell's; outside of cells (a caption) it is a paragraph before the table. */
  #endCell(): void {
    const text = this.#writer.toString().trim().replace(/\s+/g, ' ')
    this.#writer = new MarkdownWriter(this.#maxChars)
    const row = this.#rows?.at(-1)
    if (text === '') return
    if (row && row.length > 0 && row.at(-1) === '') row[row.length - 1] = text
    else this.#document.block([text])
  }

  #endTable(): void {
    this.#endCell()
    this.#tableDepth = 0
    this.#writer = this.#document
    const lines = markdownTable(this.#rows ?? [])
    this.#rows = undefined
    if (lines.length > 0) this.#document.block(lines)
  }

  #url(attribute: number): string {
    const scanner = this.#scanner
    return scanner.has(attribute) ? this.#base.resolveText(this.#value(attribute)) : ''
  }

  #value(attribute: number): string {
    const scanner = this.#scanner
    if (!scanner.has(attribute)) return ''
    const start = scanner.valueStart(attribute)
    return decodeText(scanner.bytes, start, Math.min(scanner.valueEnd(attribute), start + 65_536), true)
  }
}

/** The URL that the document's links are relative to. */
function baseOf(bytes: Buffer, url: string): string {
  const scanner = new Scanner(bytes)
  for (let token = scanner.next(); token !== END_OF_INPUT; token = scanner.next()) {
    if (token !== START_TAG || scanner.tag !== Tag.base || !scanner.has(Attribute.href)) continue
    const href = decodeText(bytes, scanner.valueStart(Attribute.href), scanner.valueEnd(Attribute.href), true)
    return new Base(url, MAX_URL_CHARS).resolveText(href) || url
  }
  return url
}
