import { UsageError } from '../config/usage-error.ts'
import { compileExpression } from './expression.ts'
import { compileGlob, type Glob, globMatches } from './glob.ts'
import { type CanonicalUrl, pathOf } from './keys.ts'
import { normalizeEscapes } from './percent.ts'

/** A pattern that a user gave for URLs. */
export interface UrlPattern {
  /** As it was given. */
  readonly text: string
  matches(url: CanonicalUrl): boolean
}

/**
 * `re:` begins a regular expression, sought anywhere in the URL. All else is a glob, in which `*` stands for any text:
 * over path and query when it begins with `/`, over the whole URL when it names a scheme or begins with `*`, otherwise
 * over the URL without its scheme (`example.com/blog/*`). Throws a UsageError that names a pattern which cannot be.
 */
export function urlPattern(text: string): UrlPattern {
  if (text.startsWith('re:')) return expressionPattern(text)
  if (!/[*/]/.test(text)) throw new UsageError(`The pattern "${text}" fits no URL. Did you mean "*${text}*"?`)
  const glob = compileGlob(normalizeEscapes(text), true)
  return { text, matches: globSubject(text, glob) }
}

function globSubject(text: string, glob: Glob): (url: CanonicalUrl) => boolean {
  if (text.startsWith('/')) return (url) => globMatches(glob, pathOf(url))
  if (text.startsWith('*') || text.includes('://')) return (url) => globMatches(glob, url)
  return (url) => globMatches(glob, url.slice(url.indexOf('://') + 3))
}

function expressionPattern(text: string): UrlPattern {
  try {
    const expression = compileExpression(text.slice(3))
    return { text, matches: (url) => expression.matches(url) }
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    throw new UsageError(`The pattern "${text}" is not a usable regular expression: ${error.message}.`, {
      cause: error,
    })
  }
}
