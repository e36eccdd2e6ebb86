import type { SearchQuery, Term } from '../../query.ts'
import { pairsOf, runsOf } from '../../words.ts'

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

function phrase({ words, prefix, title }: Term): string {
  const runs = words.flatMap(runsOf)
  const last = runs.at(-1)!
  const tokens = runs.flatMap((run) => (run.spaceless ? pairsOf(run.text) : [run.text]))
  // The index has a last character alone only where a run ends; the run that was typed may go on in the page.
  const isPair = last.spaceless && [...last.text].length > 1
  if (isPair) tokens.pop()
  const openEnd = !isPair && (prefix || last.spaceless)
  return `${title ? 'title : ' : ''}"${tokens.join(' ')}"${openEnd ? ' *' : ''}`
}
