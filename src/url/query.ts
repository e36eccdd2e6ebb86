import { type DroppedParameters, isDropped, mayBeDropped } from './parameters.ts'

/** The query without dropped parameters, otherwise as it stands. */
export function keptQuery(query: string, dropped: DroppedParameters): string {
  const kept = query.split('&').filter((text) => {
    const equals = indexOrEnd(text, '=', 0)
    return !isDropped(dropped, text.slice(0, equals), text.slice(equals + 1))
  })
  return kept.join('&')
}

/**
 * The query with its parameters sorted by name, those of one name in their order; `a`, `a=` and repeated names are kept.
 * Dropped parameters and empty pieces (`&&`) are left out. Without the `?`; empty when nothing is left.
 */
export function canonicalQuery(query: string, dropped: DroppedParameters): string {
  if (isCanonicalQuery(query, dropped)) return query
  const parameters: Parameter[] = []
  let at = 0
  while (at < query.length) {
    const end = indexOrEnd(query, '&', at)
    const equals = Math.min(indexOrEnd(query, '=', at), end)
    const name = query.slice(at, equals)
    if (end > at && !isDropped(dropped, name, query.slice(equals + 1, end)))
      parameters.push({ name, text: query.slice(at, end) })
    at = end + 1
  }
  parameters.sort(byName)
  let result = ''
  for (const { text } of parameters) result += result === '' ? text : `&${text}`
  return result
}

interface Parameter {
  readonly name: string
  readonly text: string
}

/** `sort` is stable: parameters of one name keep their order. */
function byName(a: Parameter, b: Parameter): number {
  return a.name < b.name ? -1 : a.name > b.name ? 1 : 0
}

function indexOrEnd(text: string, character: string, from: number): number {
  const index = text.indexOf(character, from)
  return index < 0 ? text.length : index
}

const AMPERSAND = 0x26
const EQUALS = 0x3d

/** `true`: surely nothing to drop or to sort. Many queries are in order, and to see that takes no string. */
function isCanonicalQuery(query: string, dropped: DroppedParameters): boolean {
  let lastAt = 0
  let lastLength = 0
  for (let at = 0; at <= query.length; ) {
    let end = at
    while (end < query.length && query.charCodeAt(end) !== AMPERSAND && query.charCodeAt(end) !== EQUALS) end++
    const length = end - at
    if (mayBeDropped(dropped, query, at, length) || !inOrder(query, lastAt, lastLength, at, length)) return false
    const next = indexOrEnd(query, '&', end)
    if (next === at) return false
    lastAt = at
    lastLength = length
    at = next + 1
  }
  return true
}

function inOrder(text: string, a: number, aLength: number, b: number, bLength: number): boolean {
  const shorter = Math.min(aLength, bLength)
  for (let index = 0; index < shorter; index++) {
    const difference = text.charCodeAt(a + index) - text.charCodeAt(b + index)
    if (difference !== 0) return difference < 0
  }
  return aLength <= bLength
}
