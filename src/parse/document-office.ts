import { type DocumentLimits, type DocumentText, TextGatherer } from './document-text.ts'
import { ZipFiles } from './document-zip.ts'
import { XmlEvents, type XmlHandler } from './xml-events.ts'

/** Where each format keeps its text, in the order of reading. */
const PLACES: readonly RegExp[] = [
  /^word\/document\.xml$/,
  /^word\/(?:header|footer|footnotes|endnotes|comments)\d*\.xml$/,
  /^ppt\/slides\/slide\d+\.xml$/,
  /^ppt\/notesSlides\/notesSlide\d+\.xml$/,
  /^xl\/sharedStrings\.xml$/,
  /^xl\/worksheets\/sheet\d+\.xml$/,
  /^content\.xml$/,
]

/** Elements whose text is shown, and those that end a line, by their local names. */
const SHOWN = new Set(['t', 'p', 'h', 'span', 'a', 's', 'v'])
const LINES = new Set(['p', 'h', 'tr', 'row', 'br', 'si', 'tab', 'c', 'table-cell', 'line-break'])

/** The text of a word, sheet or slide file of Microsoft Office (`docx`, `xlsx`, `pptx`) or OpenDocument. */
export function readOffice(archive: Buffer, { maxPages, maxTextBytes }: DocumentLimits): DocumentText {
  const files = new ZipFiles(archive)
  const text = new TextGatherer(maxTextBytes)
  const isOpenDocument = files.names.includes('content.xml')
  const parts = PLACES.flatMap((place) => files.names.filter((name) => place.test(name)).sort(byNumber)).slice(
    0,
    maxPages,
  )
  if (parts.length === 0) throw new Error('no text was found in it')
  for (const name of parts) {
    if (text.isCut) break
    const isSheet = name.startsWith('xl/worksheets/')
    read(files.read(name), new ShownText(text, isOpenDocument, isSheet))
    text.add('\n')
  }
  const title = new TitleText()
  read(files.read('docProps/core.xml') ?? files.read('meta.xml'), title)
  return { title: title.value.trim(), text: text.toString(), isCut: text.isCut }
}

function read(xml: Buffer | undefined, handler: XmlHandler): void {
  if (!xml) return
  const events = new XmlEvents(handler)
  const decoder = new TextDecoder()
  for (let at = 0; at < xml.length; at += PIECE_BYTES)
    events.write(decoder.decode(xml.subarray(at, at + PIECE_BYTES), { stream: true }))
  events.end()
}

const PIECE_BYTES = 65_536

function byNumber(a: string, b: string): number {
  const numberIn = (name: string) => Number(/\d+/.exec(name)?.[0] ?? 0)
  return numberIn(a) - numberIn(b)
}

class ShownText implements XmlHandler {
  readonly #text: TextGatherer
  readonly #isOpenDocument: boolean
  readonly #isSheet: boolean
  #depth = 0

  constructor(text: TextGatherer, isOpenDocument: boolean, isSheet: boolean) {
    this.#text = text
    this.#isOpenDocument = isOpenDocument
    this.#isSheet = isSheet
  }

  open(name: string): void {
    if (this.#isShown(name)) this.#depth++
  }

  text(text: string): void {
    if (this.#depth > 0) this.#text.add(text)
  }

  close(name: string): void {
    if (this.#isShown(name)) this.#depth = Math.max(0, this.#depth - 1)
    if (LINES.has(localName(name))) this.#text.add('\n')
  }

  /** Microsoft's paragraphs hold runs, whose text alone is shown; in sheets most values are numbers of shared strings. */
  #isShown(name: string): boolean {
    const local = localName(name)
    if (this.#isOpenDocument) return SHOWN.has(local) && local !== 't' && local !== 'v'
    return local === 't' && !(this.#isSheet && name.includes(':'))
  }
}

class TitleText implements XmlHandler {
  value = ''
  #isTitle = false

  open(name: string): void {
    this.#isTitle = name === 'dc:title'
  }

  text(text: string): void {
    if (this.#isTitle && this.value.length < 1000) this.value += text
  }

  close(): void {
    this.#isTitle = false
  }
}

function localName(name: string): string {
  return name.slice(name.indexOf(':') + 1)
}
