import type { CanonicalUrl } from '../url/keys.ts'
import type { SearchQuery, Term } from './query.ts'
import { UNIT, type Unit, unitsOf } from './words.ts'

/** Where the text of a page is kept, since the index holds only its words. `undefined`: not there any more. */
export type TextOf = (url: CanonicalUrl) => Promise<{ readonly text: string; readonly description: string } | undefined>

const EXCERPT_CHARACTERS = 240
const MAX_SCANNED = 200_000
const MAX_MATCHES = 1000
const OPEN = '\u0002'
const CLOSE = '\u0003'

interface Match {
  readonly start: number
  readonly end: number
  readonly term: number
}

/**
 * The part of a page that best shows why it was found: as many different terms as fit, then as many matches, then the
 * earliest; from the text, else from the description, else how the text begins. Matches stand between `\u0002` and
 * `\u0003`, which occur nowhere else in it.
 */
export function excerpt(page: { readonly text: string; readonly description: string }, query: SearchQuery): string {
  const terms = query.terms.map(unitsOfTerm)
  for (const text of [page.text, page.description]) {
    const matches = matchesIn(text.slice(0, MAX_SCANNED), terms)
    if (matches.length > 0) return marked(text, matches)
  }
  return marked(page.description || page.text, [])
}

interface TermUnits {
  readonly units: readonly string[]
  readonly prefix: boolean
}

function unitsOfTerm(term: Term): TermUnits {
  return { units: term.words.flatMap((word) => [...unitsOf(word)].map(({ folded }) => folded)), prefix: term.prefix }
}

function matchesIn(text: string, terms: readonly TermUnits[]): Match[] {
  if (terms.length === 0) return []
  const beginnings = beginningsOf(terms)
  const matches: Match[] = []
  const ahead = new UnitsAhead(text)
  let end = 0
  for (const unit of text.matchAll(UNIT)) {
    if (unit.index < end || !mayBegin(text.charCodeAt(unit.index), beginnings)) continue
    ahead.moveTo(unit.index)
    const term = terms.findIndex((term) => standsAt(term, ahead))
    if (term < 0) continue
    end = ahead.at(terms[term]!.units.length - 1)!.end
    matches.push({ start: unit.index, end, term })
    if (matches.length >= MAX_MATCHES) break
  }
  return matches
}

/** Letters and digits of ASCII with which a term begins, small and large. */
function beginningsOf(terms: readonly TermUnits[]): ReadonlySet<number> {
  const letters = terms.flatMap(({ units: [first = ''] }) => [first.slice(0, 1), first.slice(0, 1).toUpperCase()])
  return new Set(letters.map((letter) => letter.charCodeAt(0)))
}

/** Most words of most texts begin otherwise: these need not be folded. What folding makes of others is not known before. */
const mayBegin = (code: number, beginnings: ReadonlySet<number>) => code > 0x7f || beginnings.has(code)

/** Units of a text from a place on that only moves forward, each made once, when it is asked for. */
class UnitsAhead {
  readonly #text: string
  #units: Unit[] = []
  #first = 0
  #more: Iterator<Unit>

  constructor(text: string) {
    this.#text = text
    this.#more = unitsOf(text)
  }

  /** To where a unit begins. */
  moveTo(start: number): void {
    while (this.#first < this.#units.length && this.#units[this.#first]!.start < start) this.#first++
    if (this.#first < this.#units.length) return
    this.#units = []
    this.#first = 0
    this.#more = unitsOf(this.#text, start)
  }

  /** `undefined`: the text has ended before. */
  at(n: number): Unit | undefined {
    while (this.#units.length <= this.#first + n) {
      const { done, value } = this.#more.next()
      if (done) return undefined
      this.#units.push(value)
    }
    return this.#units[this.#first + n]
  }
}

function standsAt({ units, prefix }: TermUnits, ahead: UnitsAhead): boolean {
  if (units.length === 0) return false
  return units.every((unit, i) => {
    const folded = ahead.at(i)?.folded
    return folded === unit || (prefix && i === units.length - 1 && folded?.startsWith(unit) === true)
  })
}

function marked(text: string, matches: readonly Match[]): string {
  const { start, end } = windowAround(text, bestGroup(matches))
  let result = start > 0 ? '…' : ''
  let at = start
  for (const match of matches) {
    if (match.start < at || match.end > end) continue
    result += `${text.slice(at, match.start).replace(/[\u0002\u0003]/g, ' ')}${OPEN}`
    result += `${text.slice(match.start, match.end).replace(/[\u0002\u0003]/g, ' ')}${CLOSE}`
    at = match.end
  }
  result += text.slice(at, end).replace(/[\u0002\u0003]/g, ' ') + (end < text.length ? '…' : '')
  return result.replace(/[\s\0\x01\x04-\x1f\x7f]+/g, ' ').trim()
}

/** The matches, close enough to be shown together, that show most. */
function bestGroup(matches: readonly Match[]): { start: number; end: number } {
  let best = { start: 0, end: 0, score: 0 }
  for (let first = 0, next = 0; first < matches.length; first++) {
    const { start } = matches[first]!
    while (next < matches.length && matches[next]!.end - start <= EXCERPT_CHARACTERS) next++
    const group = matches.slice(first, Math.max(next, first + 1))
    const score = new Set(group.map(({ term }) => term)).size * MAX_MATCHES + group.length
    if (score > best.score) best = { start, end: group.at(-1)!.end, score }
  }
  return best
}

/** Widens a group to the length of an excerpt, a third of the room before it, and keeps words whole where it can. */
function windowAround(text: string, group: { start: number; end: number }): { start: number; end: number } {
  const room = Math.max(0, EXCERPT_CHARACTERS - (group.end - group.start))
  const latestStart = Math.max(0, text.length - EXCERPT_CHARACTERS)
  let start = Math.min(Math.max(0, group.start - Math.floor(room / 3)), latestStart, group.start)
  let end = Math.min(text.length, Math.max(group.end, start + EXCERPT_CHARACTERS))
  if (start > 0) start += /^\S{0,20}\s+/.exec(text.slice(start, group.start))?.[0].length ?? 0
  if (end < text.length) end -= /\s+\S{0,20}$/.exec(text.slice(group.end, end))?.[0].length ?? 0
  if (isLowSurrogate(text, start)) start--
  if (isLowSurrogate(text, end)) end--
  return { start, end }
}

function isLowSurrogate(text: string, at: number): boolean {
  const code = text.charCodeAt(at)
  return code >= 0xdc00 && code < 0xe000
}
