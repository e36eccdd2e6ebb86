import type { Span } from './part-buffer.ts'
import { PlaceCursor } from './postings.ts'
import type { Source, Token } from './source.ts'

/** Places of the first word of a phrase, in order. */
export interface Places {
  readonly ordinals: Uint32Array
  readonly positions: Int32Array
}

/**
 * Where the words of a phrase stand in a row. Begins with the rarest of them, and strikes out the places beside which
 * another one does not stand. Only the last may be open, so that one is left to begin with.
 */
export function phrasePlaces(source: Source, tokens: readonly Token[]): Places {
  const postings = tokens.map((token) => [...source.postings(token)])
  const sizes = postings.map((words) => bytesOf(words.flat()))
  const first = sizes.indexOf(Math.min(...sizes.filter((_, i) => !tokens[i]!.openEnd)))
  let places = placesOf(postings[first]!.flat(), first)
  for (const [i, words] of postings.entries()) if (i !== first) places = besides(places, words, i)
  return places
}

const bytesOf = (postings: readonly Span[]) => postings.reduce((sum, { start, end }) => sum + end - start, 0)

function placesOf(postings: readonly Span[], offset: number): Places {
  const most = bytesOf(postings)
  const [ordinals, positions] = [new Uint32Array(most), new Int32Array(most)]
  let count = 0
  for (const span of postings)
    for (const place = new PlaceCursor(span); place.next(); count++) {
      ordinals[count] = place.ordinal
      positions[count] = place.position - offset
    }
  return { ordinals: ordinals.subarray(0, count), positions: positions.subarray(0, count) }
}

/** Those behind which, at the distance of `offset`, one of `words` stands. */
function besides({ ordinals, positions }: Places, words: readonly (readonly Span[])[], offset: number): Places {
  const stays = new Uint8Array(ordinals.length)
  for (const word of words) {
    let next = 0
    for (const span of word)
      for (const place = new PlaceCursor(span); next < ordinals.length && place.next(); ) {
        const { ordinal } = place
        const wanted = place.position - offset
        while (ordinals[next]! < ordinal || (ordinals[next] === ordinal && positions[next]! < wanted)) next++
        if (ordinals[next] === ordinal && positions[next] === wanted) stays[next] = 1
      }
  }
  let count = 0
  for (let i = 0; i < ordinals.length; i++)
    if (stays[i] === 1) {
      ordinals[count] = ordinals[i]!
      positions[count++] = positions[i]!
    }
  return { ordinals: ordinals.subarray(0, count), positions: positions.subarray(0, count) }
}
