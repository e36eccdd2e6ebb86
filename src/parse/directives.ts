import type { Directives } from './page.ts'

/** The name by which pages may speak to us alone. */
const OUR_AGENT = 'orbweaver'

/** Directives that carry a value behind a colon, which is easily taken for an agent's name. */
const WITH_VALUE = new Set(['unavailable_after', 'max-snippet', 'max-image-preview', 'max-video-preview'])

/**
 * What robots are asked for, by `<meta name=robots>` or `<meta name=orbweaver>` contents and `X-Robots-Tag` headers, each
 * header apart. Where several speak, every restriction counts.
 */
export function readDirectives(metaContents: readonly string[], headers: readonly string[]): Directives {
  const words = [...metaContents.flatMap((content) => content.split(',')), ...headers.flatMap(wordsForUs)]
  const asked = new Set(words.map((word) => word.trim().toLowerCase()))
  const none = asked.has('none')
  return { noindex: none || asked.has('noindex'), nofollow: none || asked.has('nofollow') }
}

/** `googlebot: noindex, nofollow`: an agent's name holds for what follows it, up to the next name. */
function wordsForUs(header: string): string[] {
  let isForUs = true
  const words: string[] = []
  for (const part of header.split(',')) {
    const colon = part.indexOf(':')
    const name = part.slice(0, Math.max(0, colon)).trim().toLowerCase()
    const namesAgent = colon >= 0 && !WITH_VALUE.has(name)
    if (namesAgent) isForUs = name === OUR_AGENT || name === '*'
    if (isForUs) words.push(namesAgent ? part.slice(colon + 1) : part)
  }
  return words
}
