import type { ListedUrls } from './listing.ts'
import { isoDate } from './published.ts'
import { type XmlHandler, xmlAttribute } from './xml-events.ts'

const MAX_FIELD_CHARS = 8192

/** What a feed's links are for; those to itself, to its hub or to a picture are none of ours. */
const FOLLOWED = new Set(['', 'alternate', 'related', 'next', 'prev', 'previous', 'first', 'last', 'via'])
const ITEMS = new Set(['item', 'entry'])
const DATES = new Set(['pubdate', 'updated', 'published', 'date', 'modified', 'issued'])

/** RSS in all its versions, RDF and Atom: what their items, and the feed itself, link to. */
export class FeedHandler implements XmlHandler {
  readonly #found: ListedUrls
  #links: string[] = []
  #guid = ''
  #modifiedAt = ''
  #field: 'link' | 'guid' | 'date' | undefined
  #value = ''

  constructor(found: ListedUrls) {
    this.#found = found
  }

  open(name: string, attributes: string): void {
    const local = name.slice(name.indexOf(':') + 1)
    this.#field = undefined
    this.#value = ''
    if (ITEMS.has(local)) this.#flush()
    else if (local === 'link') this.#link(name, attributes)
    else if (local === 'guid' && xmlAttribute(attributes, 'ispermalink')?.toLowerCase() !== 'false')
      this.#field = 'guid'
    else if (DATES.has(local)) this.#field = 'date'
  }

  text(text: string): void {
    if (this.#field !== undefined && this.#value.length < MAX_FIELD_CHARS) this.#value += text
  }

  close(name: string): void {
    const value = this.#value.trim()
    switch (this.#field) {
      case 'link':
        this.#links.push(value)
        break
      case 'guid':
        this.#guid = value
        break
      case 'date':
        this.#modifiedAt ||= isoDate(value)
        break
      case undefined:
        break
      default:
        this.#field satisfies never
    }
    this.#field = undefined
    this.#value = ''
    if (ITEMS.has(name.slice(name.indexOf(':') + 1))) this.#flush()
  }

  end(): void {
    this.#flush()
  }

  #link(name: string, attributes: string): void {
    const href = xmlAttribute(attributes, 'href')
    if (href === undefined) {
      if (!name.includes(':') || name.startsWith('rss:')) this.#field = 'link'
    } else if (FOLLOWED.has(xmlAttribute(attributes, 'rel')?.toLowerCase().trim() ?? '')) this.#links.push(href)
  }

  #flush(): void {
    const modifiedAt = this.#modifiedAt
    // A guid is an address only where it looks like one, whatever it claims.
    const links = this.#links.length === 0 && /^https?:\/\//i.test(this.#guid) ? [this.#guid] : this.#links
    for (const link of links.slice(0, MAX_LINKS)) this.#found.add(link, { modifiedAt })
    this.#links = []
    this.#guid = ''
    this.#modifiedAt = ''
  }
}

const MAX_LINKS = 20

/** A JSON feed (jsonfeed.org). What is no such thing lists nothing. */
export function readJsonFeed(text: string, found: ListedUrls): void {
  let feed: unknown
  try {
    feed = JSON.parse(text)
  } catch {
    found.isCut = true
    return
  }
  if (!isObject(feed)) return
  for (const name of ['home_page_url', 'next_url']) found.add(textIn(feed, name))
  for (const item of Array.isArray(feed.items) ? feed.items : []) {
    if (!isObject(item)) continue
    const modifiedAt = isoDate(textIn(item, 'date_modified') || textIn(item, 'date_published'))
    for (const name of ['url', 'external_url']) found.add(textIn(item, name), { modifiedAt })
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}

function textIn(object: Record<string, unknown>, name: string): string {
  const value = object[name]
  return typeof value === 'string' ? value : ''
}
