import type { Term } from '../../query.ts'
import { termTokens } from '../../term-tokens.ts'
import { phrasePlaces } from './phrase-places.ts'
import { addFrequencies, columnBase, weightAt } from './postings.ts'
import type { Source, Token } from './source.ts'
import { maxWordBytes } from './word-table.ts'

/** A term as it is looked for. */
export interface Phrase {
  readonly tokens: readonly Token[]
  readonly titleOnly: boolean
}

const encoder = new TextEncoder()

export function phraseOf(term: Term): Phrase {
  const { tokens, openEnd } = termTokens(term)
  return {
    tokens: tokens.map((token, i) => ({
      bytes: encoder.encode(token).subarray(0, maxWordBytes),
      openEnd: openEnd && i === tokens.length - 1,
    })),
    titleOnly: term.title,
  }
}

/** Documents of a source that have all phrases. */
export interface Matches {
  readonly ordinals: Uint32Array
  /** By phrase, by match: how often it stands there, by the weight of where. */
  readonly frequencies: readonly Float32Array[]
  /** By phrase: how many documents of the source have it. */
  readonly having: readonly number[]
}

/** Documents that have all of `phrases`, at least one, and none of `without`. */
export function matchesIn(source: Source, phrases: readonly Phrase[], without: readonly Phrase[]): Matches {
  const weights = new Float32Array(source.documents)
  const having: number[] = []
  let ordinals: Uint32Array = new Uint32Array()
  const frequencies: Float32Array[] = []
  function keep(isKept: (weight: number) => boolean): void {
    let count = 0
    for (let i = 0; i < ordinals.length; i++) {
      if (!isKept(weights[ordinals[i]!]!)) continue
      for (const values of frequencies) values[count] = values[i]!
      ordinals[count++] = ordinals[i]!
    }
    ordinals = ordinals.subarray(0, count)
  }
  for (const [i, phrase] of phrases.entries()) {
    weights.fill(0)
    having.push(weigh(source, phrase, weights))
    if (i === 0) ordinals = nonZero(weights)
    else keep((weight) => weight > 0)
    const weighed = new Float32Array(ordinals.length)
    for (let match = 0; match < weighed.length; match++) weighed[match] = weights[ordinals[match]!]!
    frequencies.push(weighed)
  }
  weights.fill(0)
  for (const phrase of without) weigh(source, phrase, weights)
  if (without.length > 0) keep((weight) => weight === 0)
  return { ordinals, frequencies, having }
}

/** Ordinals of documents that have any of `phrases`. */
export function havingAny(source: Source, phrases: readonly Phrase[]): Uint32Array {
  const weights = new Float32Array(source.documents)
  for (const phrase of phrases) weigh(source, phrase, weights)
  return nonZero(weights)
}

/** Adds to the weight of each document that of the phrase in it; answers how many had none before. */
function weigh(source: Source, { tokens, titleOnly }: Phrase, weights: Float32Array): number {
  let documents = 0
  if (tokens.length === 1) {
    for (const word of source.postings(tokens[0]!))
      for (const postings of word) documents += addFrequencies(postings, titleOnly, weights)
    return documents
  }
  const { ordinals, positions } = phrasePlaces(source, tokens)
  for (let i = 0; i < ordinals.length; i++) {
    if (titleOnly && positions[i]! >= columnBase) continue
    if (weights[ordinals[i]!] === 0) documents++
    weights[ordinals[i]!]! += weightAt(positions[i]!)
  }
  return documents
}

function nonZero(weights: Float32Array): Uint32Array {
  let count = 0
  const ordinals = new Uint32Array(weights.length)
  for (let ordinal = 0; ordinal < weights.length; ordinal++) if (weights[ordinal] !== 0) ordinals[count++] = ordinal
  return ordinals.slice(0, count)
}
