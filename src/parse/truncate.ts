/** The first `maxChars` UTF-16 units, never half a character. */
export function truncate(text: string, maxChars: number): string {
  if (text.length <= maxChars) return text
  const last = text.charCodeAt(maxChars - 1)
  const cutsPair = last >= 0xd800 && last <= 0xdbff
  return text.slice(0, cutsPair ? maxChars - 1 : maxChars)
}

/** Runs of white space become one space; none at the ends. */
export function collapse(text: string): string {
  return UNEVEN_SPACE.test(text) ? text.replace(/\s+/g, ' ').trim() : text
}

/** Most texts have nothing to collapse, and asking costs a fraction of replacing. */
const UNEVEN_SPACE = /[^\S ]|^ | $| {2}/
