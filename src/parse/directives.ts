import type { ObeyConfig } from './obey.ts'
import type { Directives } from './page.ts'
import { unavailableAfter } from './unavailable-after.ts'

/** The name by which pages may speak to us alone. */
const OUR_AGENT = 'orbweaver'

/** Directives that carry a value behind a colon, which is easily taken for an agent's name. */
const WITH_VALUE = new Set(['unavailable_after', 'max-snippet', 'max-image-preview', 'max-video-preview'])

/**
 * What robots are asked for, by `<meta name=robots>` or `<meta name=orbweaver>` contents and `X-Robots-Tag` headers, each
 * header apart. Where several speak, every restriction counts. `visitedAt`: what was to be shown until then counts as
 * `noindex`.
 */
export function readDirectives(
  metaContents: readonly string[],
  headers: readonly string[],
  obey: ObeyConfig,
  visitedAt: number,
): Directives {
  if (metaContents.length === 0 && headers.length === 0) return NOTHING_ASKED
  const wishes = [
    ...(obey.metaRobots ? metaContents.map((content) => content.split(',')) : []),
    ...(obey.xRobotsTag ? headers.map(wordsForUs) : []),
  ]
  const asked = new Set(wishes.flat().map((word) => word.trim().toLowerCase()))
  const none = asked.has('none')
  const shownUntil = obey.unavailableAfter ? unavailableAfter(wishes) : null
  const isOver = shownUntil !== null && shownUntil < visitedAt
  return {
    noindex: (obey.noindex && (none || asked.has('noindex'))) || isOver,
    nofollow: obey.nofollow && (none || asked.has('nofollow')),
    unavailableAfter: shownUntil === null ? '' : new Date(shownUntil).toISOString(),
  }
}

const NOTHING_ASKED: Directives = { noindex: false, nofollow: false, unavailableAfter: '' }

/** A date behind `unavailable_after` has colons too, and commas before them. */
const AGENT_NAME = /^(?:\*|[a-z_][\w-]*)$/

/** `googlebot: noindex, nofollow`: an agent's name holds for what follows it, up to the next name. */
function wordsForUs(header: string): string[] {
  let isForUs = true
  const words: string[] = []
  for (const part of header.split(',')) {
    const colon = part.indexOf(':')
    const name = part.slice(0, Math.max(0, colon)).trim().toLowerCase()
    const namesAgent = AGENT_NAME.test(name) && !WITH_VALUE.has(name)
    if (namesAgent) isForUs = name === OUR_AGENT || name === '*'
    if (isForUs) words.push(namesAgent ? part.slice(colon + 1) : part)
  }
  return words
}
