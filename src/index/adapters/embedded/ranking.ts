import type { Matches, Phrase } from './matches.ts'
import { havingAny, matchesIn } from './matches.ts'
import type { Source } from './source.ts'

/** Ids of documents with their scores. */
export interface Ranked {
  readonly ids: Float64Array
  readonly scores: Float64Array
}

/** How much the tenth occurrence of a word still tells, and how much a long document has to have more of them. */
const SATURATION = 1.2
const LENGTH_SHARE = 0.75
/** Of a word that is in half of all documents or more: it still counts, but next to nothing. */
const LEAST_RARITY = 1e-6

/** All documents with these phrases, by BM25. `words`: of all documents that the sources hold. */
export function ranked(
  sources: Iterable<Source>,
  phrases: readonly Phrase[],
  without: readonly Phrase[],
  all: { readonly documents: number; readonly words: number },
): Ranked {
  const found: { source: Source; matches: Matches }[] = []
  const having = phrases.map(() => 0)
  for (const source of sources) {
    const matches = matchesIn(source, phrases, without)
    for (const [i, count] of matches.having.entries()) having[i]! += count
    found.push({ source, matches })
  }
  const rarities = having.map((count) => Math.log((all.documents - count + 0.5) / (count + 0.5)))
  const weights = rarities.map((rarity) => (rarity > 0 ? rarity : LEAST_RARITY))
  const total = found.reduce((sum, { matches }) => sum + matches.ordinals.length, 0)
  const [ids, scores] = [new Float64Array(total), new Float64Array(total)]
  let at = 0
  for (const { source, matches } of found)
    for (let i = 0; i < matches.ordinals.length; i++) {
      const ordinal = matches.ordinals[i]!
      const length = (source.lengthOf(ordinal) * all.documents) / all.words
      const norm = SATURATION * (1 - LENGTH_SHARE + LENGTH_SHARE * length)
      let score = 0
      for (let phrase = 0; phrase < weights.length; phrase++) {
        const frequency = matches.frequencies[phrase]![i]!
        score += weights[phrase]! * ((frequency * (SATURATION + 1)) / (frequency + norm))
      }
      ids[at] = source.idOf(ordinal)
      scores[at++] = score
    }
  return { ids, scores }
}

export function idsHavingAny(sources: Iterable<Source>, phrases: readonly Phrase[]): Set<number> {
  const ids = new Set<number>()
  for (const source of sources) for (const ordinal of havingAny(source, phrases)) ids.add(source.idOf(ordinal))
  return ids
}

/** Ids by score, the best first and of equals the oldest, in slices that grow: most questions are answered by the first. */
export function* bestFirst(
  { ids, scores }: Ranked,
  first: number,
): Generator<readonly { id: number; score: number }[]> {
  const sorted = scores.toSorted()
  let above = Number.POSITIVE_INFINITY
  for (let taken = 0, size = Math.max(first, 1); taken < sorted.length; size *= 4) {
    const least = sorted[Math.max(0, sorted.length - taken - size)]!
    const slice: { id: number; score: number }[] = []
    for (let i = 0; i < scores.length; i++) {
      const score = scores[i]!
      if (score >= least && score < above) slice.push({ id: ids[i]!, score })
    }
    slice.sort((a, b) => b.score - a.score || a.id - b.id)
    yield slice
    taken += slice.length
    above = least
  }
}
