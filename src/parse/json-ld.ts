/** Deeper values are refused: whoever walks or writes them later would run out of stack. */
const MAX_DEPTH = 64
/** Values looked at in search of a date. */
const MAX_NODES = 5000

/** One JSON-LD block. `undefined`: not JSON, too deep, or no object. */
export function parseJsonLd(text: string): object | undefined {
  const json = unwrapped(text.trim())
  if (json === '' || isTooDeep(json)) return undefined
  const value = parsed(json)
  return typeof value === 'object' && value !== null ? value : undefined
}

/** Old pages put scripts into comments or CDATA sections. */
function unwrapped(text: string): string {
  const opening = ['//<![CDATA[', '// <![CDATA[', '<![CDATA[', '<!--'].find((prefix) => text.startsWith(prefix))
  if (opening === undefined) return text
  const closing = ['//]]>', '// ]]>', ']]>', '//-->', '-->'].find((suffix) => text.endsWith(suffix)) ?? ''
  return text.slice(opening.length, text.length - closing.length).trim()
}

/** Escapes can spell half a character (`\ud83d`), which no record may hold. */
function parsed(json: string): unknown {
  const mayBeIllFormed = /\\u[dD][89a-fA-F]/.test(json)
  try {
    return JSON.parse(json, mayBeIllFormed ? wellFormed : undefined)
  } catch (error) {
    // Pages are full of broken JSON; no value is all there is to say about it.
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}

function wellFormed(this: unknown, _key: string, value: unknown): unknown {
  return typeof value === 'string' ? value.toWellFormed() : value
}

/** Counts brackets, also those in strings: such text would need 64 unbalanced ones to be refused wrongly. */
function isTooDeep(json: string): boolean {
  let depth = 0
  for (let i = 0; i < json.length; i++) {
    const code = json.charCodeAt(i)
    if (code === 0x7b || code === 0x5b) {
      if (++depth > MAX_DEPTH) return true
    } else if (code === 0x7d || code === 0x5d) depth--
  }
  return false
}

/** Can `publishedIn` find anything in this block? Escapes may spell the name. */
export function mayHoldDate(block: Buffer): boolean {
  return block.includes(DATE_PUBLISHED) || block.includes(ESCAPED_LETTER)
}

const DATE_PUBLISHED = Buffer.from('datePublished')
const ESCAPED_LETTER = Buffer.from('\\u00')

/** The first `datePublished` of an article-like thing, or else of anything; `''` if there is none. */
export function publishedIn(blocks: readonly object[]): string {
  const queue: unknown[] = [...blocks]
  let fallback = ''
  for (let i = 0; i < queue.length && i < MAX_NODES; i++) {
    const node = queue[i]
    if (typeof node !== 'object' || node === null) continue
    if (Array.isArray(node)) {
      for (const item of node) queue.push(item)
      continue
    }
    const { datePublished, '@type': type } = node as Record<string, unknown>
    if (typeof datePublished === 'string') {
      if (/article|posting|report|page/i.test(String(type))) return datePublished
      fallback ||= datePublished
    }
    for (const value of Object.values(node)) if (typeof value === 'object') queue.push(value)
  }
  return fallback
}
