/** The first `maxChars` UTF-16 units, never half a character. */
export function truncate(text: string, maxChars: number): string {
  if (text.length <= maxChars) return text
  const last = text.charCodeAt(maxChars - 1)
  const cutsPair = last >= 0xd800 && last <= 0xdbff
  return text.slice(0, cutsPair ? maxChars - 1 : maxChars)
}

/** Runs of white space become one space; none at the ends. */
export function collapse(text: string): string {
  return isEven(text) ? text : text.replace(/\s+/g, ' ').trim()
}

/** Most texts have nothing to collapse, and asking costs a fraction of replacing. */
function isEven(text: string): boolean {
  let previous = SPACE
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i)
    if (code >= 0x80) return !UNEVEN_SPACE.test(text)
    if (code <= SPACE && (code === SPACE ? previous === SPACE : code >= 0x09 && code <= 0x0d)) return false
    previous = code
  }
  return previous !== SPACE || text === ''
}

const SPACE = 0x20
const UNEVEN_SPACE = /[^\S ]|^ | $| {2}/
