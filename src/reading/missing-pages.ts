import { createHash } from 'node:crypto'
import type { Page } from '../parse/page.ts'
import { beginningOf, isLongerThan, type PageText } from '../parse/page-text.ts'
import { type CanonicalUrl, originOf, pathOf } from '../url/keys.ts'

const MAX_TEXT_CHARS = 5000

const SAYS_404 = /\b404\b/
const SAYS_MISSING =
  /\bnot found\b|\bpage (?:you (?:requested|are looking for) )?(?:does(?:n.t| not) exist|cannot be found|could not be found|is missing)|\bno longer (?:available|exists)\b|\bnicht gefunden\b|\bexistiert nicht\b|\bintrouvable\b|\bn.existe pas\b|\bno encontrad[ao]\b|\bno existe\b|\bnon trovat[ao]\b|\bnão encontrad[ao]\b|\bniet gevonden\b|не найдена|見つかりません|不存在|找不到/i

/** Whether a page says that there is none, though its status does not. Long ones do not. */
export function looksMissing(
  { kind, title, text }: Pick<Page<PageText>, 'kind' | 'title' | 'text'>,
  url: CanonicalUrl,
): boolean {
  if (kind !== 'html') return false
  const beginning = beginningOf(text, 200).slice(0, 200)
  const says = (words: RegExp) => words.test(title) || words.test(beginning)
  if (!says(SAYS_MISSING) && (!says(SAYS_404) || isNamed404(url))) return false
  // Last, since all but a few pages are told apart before, and the characters of a text must be counted.
  return !isLongerThan(text, MAX_TEXT_CHARS)
}

/** A page that its address calls so, such as `/cars/peugeot-404`, says 404 of itself; one that is called nothing else does not. */
function isNamed404(url: CanonicalUrl): boolean {
  return pathOf(url)
    .split('/')
    .some((segment) => SAYS_404.test(segment) && !/^404(?:\.\w+)?$/.test(segment))
}

const PROBE = /^\/orbweaver-no-such-page-[0-9a-f]{12}$/

/** A page that no site has: what its host answers there is what it answers to anything. The same for a host at all times. */
export function probeOf(url: CanonicalUrl): CanonicalUrl {
  const origin = originOf(url)
  const digest = createHash('sha256').update(origin).digest('hex').slice(0, 12)
  return `${origin}/orbweaver-no-such-page-${digest}` as CanonicalUrl
}

export function isProbe(url: CanonicalUrl): boolean {
  return PROBE.test(pathOf(url))
}

/** Of words, in both directions. */
const ALIKE = 0.8

type Said = Pick<Page<PageText>, 'title' | 'text'>

/** Whether two pages say the same, but for numbers and for the addresses that they may repeat. */
export function areAlike(one: Said, other: Said): boolean {
  const a = wordsOf(one)
  const b = wordsOf(other)
  let shared = 0
  for (const word of a) if (b.has(word)) shared++
  return shared > 0 && shared / (a.size + b.size - shared) >= ALIKE
}

function wordsOf({ title, text }: Said): Set<string> {
  const words = `${title} ${beginningOf(text, MAX_TEXT_CHARS).slice(0, MAX_TEXT_CHARS)}`
    .toLowerCase()
    .split(/[\s.,;:!?()"'«»]+/u)
  return new Set(words.filter((word) => word !== '' && !/[\d/]/.test(word)))
}
