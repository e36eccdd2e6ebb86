import { getDocumentProxy } from 'unpdf'
import { type DocumentLimits, type DocumentText, TextGatherer } from './document-text.ts'

/** The text of a PDF file, page by page. Rejects for what is none, or asks for a password. */
export async function readPdf(file: Buffer, { maxPages, maxTextBytes }: DocumentLimits): Promise<DocumentText> {
  const options = { isEvalSupported: false, disableFontFace: true, verbosity: 0, stopAtErrors: false }
  const document = await getDocumentProxy(new Uint8Array(file), options)
  const text = new TextGatherer(maxTextBytes)
  const { info } = (await document.getMetadata()) as { info: { Title?: unknown } }
  for (let number = 1; number <= document.numPages && !text.isCut; number++) {
    if (number > maxPages) {
      text.isCut = true
      break
    }
    const page = await document.getPage(number)
    const { items } = await page.getTextContent()
    for (const item of items) if ('str' in item) text.add(item.hasEOL ? `${item.str}\n` : item.str)
    text.add('\n')
    page.cleanup()
  }
  return { title: typeof info.Title === 'string' ? info.Title.trim() : '', text: text.toString(), isCut: text.isCut }
}
