const DIRECTIVE = /^\s*unavailable_after\s*:/i
/** `Friday, 25-Jun-10 15:00:00 GMT`: a date may have a comma, by which directives are parted. */
const MAX_PARTS = 2
const MAX_DATE_CHARS = 60

/** Until when a page may be shown, by lists of directives that were parted at their commas. Of several dates the first. */
export function unavailableAfter(wishes: readonly (readonly string[])[]): number | null {
  let earliest = Number.POSITIVE_INFINITY
  for (const words of wishes)
    for (const [i, word] of words.entries())
      if (DIRECTIVE.test(word)) earliest = Math.min(earliest, dateAt(words, i) ?? earliest)
  return earliest === Number.POSITIVE_INFINITY ? null : earliest
}

/** The longest run of parts that is a date: RFC 822, RFC 850 and ISO 8601 are all in use. `null`: none, which says nothing. */
function dateAt(words: readonly string[], from: number): number | null {
  for (let parts = MAX_PARTS; parts > 0; parts--) {
    const text = words
      .slice(from, from + parts)
      .join(',')
      .replace(DIRECTIVE, '')
      .trim()
    const date = text.length <= MAX_DATE_CHARS ? Date.parse(text) : Number.NaN
    if (!Number.isNaN(date)) return date
  }
  return null
}
