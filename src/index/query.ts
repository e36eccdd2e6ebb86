import { domainToASCII } from 'node:url'
import { wordsOf } from './words.ts'

/** Words that stand in a row: one word, a phrase, or what is joined by punctuation (`foo-bar`). */
export interface Term {
  readonly words: readonly string[]
  /** The last word may go on. */
  readonly prefix: boolean
  /** Only in the title. */
  readonly title: boolean
}

/** What a person asked for. Whatever cannot be understood as a filter is taken as words. */
export interface SearchQuery {
  readonly terms: readonly Term[]
  readonly without: readonly Term[]
  /** Host names; each stands for its subdomains too, and one of them is enough. */
  readonly sites: readonly string[]
  readonly withoutSites: readonly string[]
  readonly langs: readonly string[]
  readonly withoutLangs: readonly string[]
  /** From this moment on. */
  readonly after: number | null
  /** Earlier than this moment. */
  readonly before: number | null
}

const MAX_CHARACTERS = 1000
const MAX_PARTS = 32
const PART = /(-)?(?:(site|lang|after|before|title):)?(?:"([^"]*)(?:"|$)|(\S+))/giu

export function parseQuery(typed: string): SearchQuery {
  const query = {
    terms: [] as Term[],
    without: [] as Term[],
    sites: [] as string[],
    withoutSites: [] as string[],
    langs: [] as string[],
    withoutLangs: [] as string[],
    after: null as number | null,
    before: null as number | null,
  }
  const text = typed
    .slice(0, MAX_CHARACTERS)
    .normalize('NFKC')
    .replace(/[“”„«»]/g, '"')
  for (const [part, minus, name, quoted, bare] of text.matchAll(PART).take(MAX_PARTS)) {
    const without = minus !== undefined
    const value = quoted ?? bare ?? ''
    const filter = name?.toLowerCase()
    const site = filter === 'site' ? siteOf(value) : ''
    const lang = filter === 'lang' ? langOf(value) : ''
    const moment = filter === 'after' || filter === 'before' ? momentOf(value) : null
    if (site) (without ? query.withoutSites : query.sites).push(site)
    else if (lang) (without ? query.withoutLangs : query.langs).push(lang)
    else if (moment !== null && !without) query[filter as 'after' | 'before'] = moment
    else {
      const isTitle = filter === 'title'
      const words = wordsOf(isTitle ? value : part)
      const term = { words, prefix: bare?.endsWith('*') ?? false, title: isTitle }
      if (words.length > 0) (without ? query.without : query.terms).push(term)
    }
  }
  return query
}

/**
 * The same, with every longer word as the beginning of one: `lighthouse` finds `lighthouses` too. Not one that was asked for
 * and left out at once.
 */
export function widened(query: SearchQuery): SearchQuery {
  const isLeftOut = (word: string) => query.without.some(({ words }) => words.length === 1 && words[0] === word)
  const terms = query.terms.map((term) => {
    const [word = '', ...more] = term.words
    return more.length === 0 && word.length >= 4 && !isLeftOut(word) ? { ...term, prefix: true } : term
  })
  return { ...query, terms }
}

/** True: it asks for nothing at all. */
export function isEmptyQuery(query: SearchQuery): boolean {
  return Object.values(query).every((value) => value === null || value.length === 0)
}

/** `https://Example.com:8080/path`, `*.example.com` → `example.com`; empty if it is no host. */
function siteOf(value: string): string {
  const host = value
    .replace(/^[a-z]+:\/\//i, '')
    .replace(/[/?#].*$/, '')
    .replace(/:\d*$/, '')
    .replace(/^(\*?\.)+/, '')
  return domainToASCII(host)
}

/** `en-GB` → `en`. */
function langOf(value: string): string {
  return /^([a-z]{2,3})([-_]|$)/i.exec(value)?.[1]?.toLowerCase() ?? ''
}

/** Year, month or day; a year or month begins with its first day, in UTC. */
function momentOf(value: string): number | null {
  if (!/^\d{4}(-\d{2}){0,2}$/.test(value)) return null
  const moment = Date.parse(value)
  return Number.isNaN(moment) ? null : moment
}
