/** Deeper values are refused: whoever walks or writes them later would run out of stack. */
const MAX_DEPTH = 64
/** Values looked at in search of a date. */
const MAX_NODES = 5000

/** One JSON-LD block. `undefined`: not JSON, too deep, or no object. */
export function parseJsonLd(text: string): object | undefined {
  const json = unwrapped(text.trim())
  const value = parsed(json)
  if (typeof value !== 'object' || value === null || isTooDeep(value)) return undefined
  return maySpellHalves(json) ? parsed(json, wellFormed) : value
}

/** Old pages put scripts into comments or CDATA sections. */
function unwrapped(text: string): string {
  const opening = OPENINGS.find((prefix) => text.startsWith(prefix))
  if (opening === undefined) return text
  const closing = CLOSINGS.find((suffix) => text.endsWith(suffix)) ?? ''
  return text.slice(opening.length, text.length - closing.length).trim()
}

const OPENINGS = ['//<![CDATA[', '// <![CDATA[', '<![CDATA[', '<!--']
const CLOSINGS = ['//]]>', '// ]]>', ']]>', '//-->', '-->']

function parsed<Value>(
  json: string,
  revive?: (this: unknown, key: string, value: unknown) => unknown,
): Value | undefined {
  try {
    return JSON.parse(json, revive)
  } catch (error) {
    // Pages are full of broken JSON; no value is all there is to say about it.
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}

/** Escapes can spell half a character (`\ud83d`), which no record may hold. */
function maySpellHalves(json: string): boolean {
  return json.includes('\\u') && /\\u[dD][89a-fA-F]/.test(json)
}

function wellFormed(this: unknown, _key: string, value: unknown): unknown {
  return typeof value === 'string' ? value.toWellFormed() : value
}

/** Level by level. The parser itself does not mind depth, and to ask its values takes a fraction of reading the text. */
function isTooDeep(value: object): boolean {
  let level = [value]
  for (let depth = 1; level.length > 0; depth++) {
    if (depth > MAX_DEPTH) return true
    const next: object[] = []
    for (const node of level)
      for (const child of Object.values(node)) if (typeof child === 'object' && child !== null) next.push(child)
    level = next
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
      if (isArticle(type)) return datePublished
      fallback ||= datePublished
    }
    for (const value of Object.values(node)) if (typeof value === 'object') queue.push(value)
  }
  return fallback
}

/** One type or a list of them. Not as `String` has it, for which anything but text may bring its own `toString`. */
function isArticle(type: unknown): boolean {
  if (Array.isArray(type)) return type.some(isArticle)
  return typeof type === 'string' && /article|posting|report|page/i.test(type)
}
