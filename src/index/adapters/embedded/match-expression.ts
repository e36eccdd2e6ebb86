import type { SearchQuery, Term } from '../../query.ts'
import { termTokens } from '../../term-tokens.ts'

/**
 * A parsed query → an FTS5 expression. Every word stands in quotes and holds nothing but word characters, so whatever a
 * person types, there is no syntax to get wrong. `null`: there are no words to match.
 */
export function matchExpression({ terms, without }: Pick<SearchQuery, 'terms' | 'without'>): string | null {
  if (terms.length === 0) return null
  const all = terms.map(phrase).join(' AND ')
  return without.length === 0 ? all : `(${all}) NOT (${anyOf(without)})`
}

/** What any of the terms matches. */
export function anyOf(terms: readonly Term[]): string {
  return terms.map(phrase).join(' OR ')
}

function phrase(term: Term): string {
  const { tokens, openEnd } = termTokens(term)
  return `${term.title ? 'title : ' : ''}"${tokens.join(' ')}"${openEnd ? ' *' : ''}`
}
