/** What a document that is no page of the web says. */
export interface DocumentText {
  readonly title: string
  readonly text: string
  /** A limit ended it. */
  readonly isCut: boolean
}

export interface DocumentLimits {
  /** Of PDF pages, slides or sheets. */
  readonly maxPages: number
  readonly maxTextBytes: number
}

/** Gathers lines up to a limit. */
export class TextGatherer {
  readonly #maxChars: number
  #text = ''
  isCut = false

  constructor(maxChars: number) {
    this.#maxChars = maxChars
  }

  add(text: string): void {
    if (this.isCut) return
    this.#text += text
    if (this.#text.length <= this.#maxChars) return
    this.#text = this.#text.slice(0, this.#maxChars)
    this.isCut = true
  }

  toString(): string {
    const lines = this.#text.split(/\s*\n\s*/).map((line) => line.replaceAll(/\s+/g, ' ').trim())
    return lines
      .filter((line) => line !== '')
      .join('\n')
      .toWellFormed()
  }
}
