import { type Header, header } from './outcome.ts'

/** What a server gave us to ask whether a page has changed since (RFC 9110, section 13); empty: nothing. */
export interface Validators {
  readonly etag: string
  readonly lastModified: string
}

/** Entity tags as the standard writes them, and of a length that no honest server exceeds: they are sent back. */
const entityTag = /^(?:W\/)?"[\x21\x23-\x7e]{0,512}"$/
const httpDate = /^[A-Za-z]{3}, \d{2} [A-Za-z]{3} \d{4} \d{2}:\d{2}:\d{2} GMT$/

export function validatorsOf(headers: readonly Header[]): Validators {
  const fitting = (name: string, form: RegExp) => {
    const value = header(headers, name)?.trim() ?? ''
    return form.test(value) ? value : ''
  }
  return { etag: fitting('etag', entityTag), lastModified: fitting('last-modified', httpDate) }
}

/** Asks for the page only if it has changed. Both where we have both: old servers know but the date. */
export function conditionalHeaders({ etag, lastModified }: Validators): readonly Header[] {
  const headers: Header[] = []
  if (etag !== '') headers.push(['If-None-Match', etag])
  if (lastModified !== '') headers.push(['If-Modified-Since', lastModified])
  return headers
}
