import { registrableDomain } from '../../../url/keys.ts'
import type { SearchQuery, Term } from '../../query.ts'
import { siteKey } from '../../site-key.ts'
import { termTokens } from '../../term-tokens.ts'

/** A word in the title counts as much as eight in the text. */
const WEIGHTS: readonly (readonly [field: string, weight: number])[] = [
  ['titleWords', 8],
  ['descriptionWords', 3],
  ['textWords', 1],
]

/** Engines refuse a query of more than 1024 parts; each of these counts once for every field. */
const MAX_TOKENS = 100
const MAX_ENDINGS = 200

/** A parsed query → what the engine is asked. Best match first; without words to match, newest first. */
export function searchBody(query: SearchQuery) {
  const { terms, without, sites, withoutSites, langs, withoutLangs } = query
  const share = 1 / Math.max(1, terms.length + without.length)
  const matching = (term: Term) => termQuery(term, share)
  return {
    query: {
      bool: {
        must: terms.map(matching),
        must_not: [
          ...without.map(matching),
          ...(withoutSites.length > 0 ? [onSites(withoutSites)] : []),
          ...(withoutLangs.length > 0 ? [inLangs(withoutLangs)] : []),
        ],
        filter: [
          ...(sites.length > 0 ? [onSites(sites)] : []),
          ...(langs.length > 0 ? [inLangs(langs)] : []),
          ...within(query),
        ],
      },
    },
    sort: [...(terms.length > 0 ? [{ _score: 'desc' }] : []), { date: 'desc' }, { key: 'desc' }],
    track_total_hits: false,
  }
}

/** On which shards the answer lies; `undefined`: on any. */
export function routingFor({ sites }: SearchQuery): string | undefined {
  const domains = sites.map((site) => registrableDomain(site))
  if (domains.length === 0 || domains.includes(null)) return undefined
  return [...new Set(domains)].join(',')
}

/** `share`: how much of what an engine accepts is this term's. */
function termQuery(term: Term, share: number): object {
  const fields = term.title ? WEIGHTS.slice(0, 1) : WEIGHTS
  const all = termTokens(term)
  const tokens = all.tokens.slice(0, Math.ceil(MAX_TOKENS * share))
  const openEnd = all.openEnd && tokens.length === all.tokens.length
  if (openEnd && tokens.length === 1) return beginning(tokens[0]!, fields)
  return {
    multi_match: {
      query: tokens.join(' '),
      fields: fields.map(([field, weight]) => `${field}^${weight}`),
      type: openEnd ? 'phrase_prefix' : 'phrase',
      // The sum over the fields, not the best of them.
      tie_breaker: 1,
      ...(openEnd ? { max_expansions: Math.ceil(MAX_ENDINGS * share) } : {}),
    },
  }
}

/** All words that begin so, however many. */
function beginning(value: string, fields: typeof WEIGHTS): object {
  return anyOf(fields.map(([field, boost]) => ({ prefix: { [field]: { value, boost } } })))
}

function onSites(sites: readonly string[]): object {
  return anyOf(sites.map((site) => ({ prefix: { site: siteKey(site) } })))
}

function inLangs(langs: readonly string[]): object {
  return { terms: { lang: langs } }
}

function within({ after, before }: SearchQuery): object[] {
  if (after === null && before === null) return []
  return [
    { range: { date: { ...(after === null ? {} : { gte: after }), ...(before === null ? {} : { lt: before }) } } },
  ]
}

function anyOf(queries: readonly object[]): object {
  return { bool: { should: queries, minimum_should_match: 1 } }
}
