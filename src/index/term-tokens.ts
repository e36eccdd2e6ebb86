import type { Term } from './query.ts'
import { pairsOf, runsOf } from './words.ts'

/** A term as the index holds it: tokens that stand in a row. */
export interface TermTokens {
  readonly tokens: readonly string[]
  /** The last token may go on. */
  readonly openEnd: boolean
}

export function termTokens({ words, prefix }: Term): TermTokens {
  const runs = words.flatMap(runsOf)
  const last = runs.at(-1)!
  const tokens = runs.flatMap((run) => (run.spaceless ? pairsOf(run.text) : [run.text]))
  // The index has a last character alone only where a run ends; the run that was typed may go on in the page.
  const isPair = last.spaceless && [...last.text].length > 1
  if (isPair) tokens.pop()
  return { tokens, openEnd: !isPair && (prefix || last.spaceless) }
}
