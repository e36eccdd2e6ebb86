import { type Language, vocabulary } from './languages.ts'
import { type Random, random } from './random.ts'

/** What stands on a page, before it is HTML. */
export interface Text {
  readonly title: string
  readonly description: string
  readonly paragraphs: readonly string[]
}

/**
 * Text of plausible words. Each page has favourite words of its own (its order of the word list, the first ones far more
 * frequent): pages that merely share a language must not look like near-duplicates to a fingerprint of their words.
 */
export function prose(keys: readonly (string | number)[], language: Language, paragraphs: number): Text {
  const chance = random('prose', ...keys)
  const { words, between, fullStop } = vocabulary(language)
  const favourites = shuffled(words, chance)
  const word = () => favourites[Math.floor((chance.next() / 2 ** 32) ** 2 * favourites.length)]!
  const phrase = (length: number) => capitalised(Array.from({ length }, word).join(between))
  const sentence = () => phrase(6 + chance.below(9)) + fullStop
  return {
    title: phrase(3 + chance.below(3)),
    description: sentence().trim(),
    paragraphs: Array.from({ length: paragraphs }, () =>
      Array.from({ length: 3 + chance.below(3) }, sentence)
        .join('')
        .trim(),
    ),
  }
}

export function shuffled<T>(list: readonly T[], chance: Random): T[] {
  const copy = [...list]
  for (let i = copy.length - 1; i > 0; i--) {
    const j = chance.below(i + 1)
    const item = copy[i]!
    copy[i] = copy[j]!
    copy[j] = item
  }
  return copy
}

function capitalised(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}
