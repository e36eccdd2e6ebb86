import { compileGlob, type Glob, globMatches } from './glob.ts'

/** Which parameters say nothing about the page. Names in any case; `*` stands for any text. */
export interface DroppedParameters {
  readonly always: NameList
  /** Dropped only when the value looks like a session id. */
  readonly whenId: NameList
  /** Kept, whatever the other lists say. */
  readonly never: NameList
  /** By the first two characters of a name: 1 where a dropped name may begin so. Nearly all names end here. */
  readonly beginnings: Uint8Array
}

interface NameList {
  readonly exact: ReadonlySet<string>
  readonly globs: readonly Glob[]
}

export function droppedParameters(
  always: readonly string[],
  whenId: readonly string[],
  never: readonly string[],
): DroppedParameters {
  const beginnings = new Uint8Array(128 * 128)
  for (const pattern of [...always, ...whenId]) markBeginnings(beginnings, pattern)
  return { always: nameList(always), whenId: nameList(whenId), never: nameList(never), beginnings }
}

function nameList(patterns: readonly string[]): NameList {
  const lower = patterns.map((pattern) => pattern.toLowerCase())
  return {
    exact: new Set(lower.filter((pattern) => !pattern.includes('*'))),
    globs: lower.filter((pattern) => pattern.includes('*')).map((pattern) => compileGlob(pattern, true)),
  }
}

function markBeginnings(beginnings: Uint8Array, pattern: string): void {
  const cases = (text: string) => [text.toLowerCase(), text.toUpperCase()]
  const [first = '', second = ''] = pattern
  if (first === '*') beginnings.fill(1)
  for (const a of cases(first)) {
    if (second === '*') beginnings.fill(1, (a.charCodeAt(0) & 127) * 128, (a.charCodeAt(0) & 127) * 128 + 128)
    for (const b of cases(second)) beginnings[beginningOf(a + b)] = 1
  }
}

function beginningOf(name: string): number {
  return (name.charCodeAt(0) & 127) * 128 + (name.charCodeAt(1) & 127)
}

/** `false`: the name of this length at `at` is surely on no list. */
export function mayBeDropped(rules: DroppedParameters, text: string, at: number, length: number): boolean {
  const first = length > 0 ? text.charCodeAt(at) & 127 : 0
  const second = length > 1 ? text.charCodeAt(at + 1) & 127 : 0
  return rules.beginnings[first * 128 + second] === 1
}

export function isDropped(rules: DroppedParameters, name: string, value: string): boolean {
  if (!mayBeDropped(rules, name, 0, name.length)) return false
  const lower = name.toLowerCase()
  if (!holds(rules.always, lower) && !(holds(rules.whenId, lower) && looksLikeId(value))) return false
  return !holds(rules.never, lower)
}

function holds(list: NameList, lower: string): boolean {
  if (list.exact.has(lower)) return true
  for (const glob of list.globs) if (globMatches(glob, lower)) return true
  return false
}

/** Long and random, as servers make session ids: 16 or more hexadecimal digits, or 20 or more letters mixed with digits. */
function looksLikeId(value: string): boolean {
  if (value.length < 16 || !/\d/.test(value)) return false
  if (/^[0-9a-f-]+$/i.test(value)) return true
  return value.length >= 20 && /^[\w.,!-]+$/.test(value) && /[a-z]/i.test(value)
}
