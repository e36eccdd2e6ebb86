import { compileGlob, type Glob } from '../url/glob.ts'
import { normalizeEscapes } from '../url/percent.ts'
import { robotsLines } from './robots-text.ts'

/**
 * robots.txt → groups, by RFC 9309 and, where that is silent, as Google's parser does: common misspellings, a missing
 * colon, `/index.html` meaning its folder. Directives beyond the RFC (Crawl-delay, Sitemap) never end a group.
 */
export interface RobotsGroup {
  /** Product tokens in lower case, or `*`. */
  readonly agents: Set<string>
  readonly rules: RobotsRule[]
}

export interface RobotsRule {
  readonly allow: boolean
  readonly glob: Glob
  /** Octets of the pattern, with those beyond ASCII escaped: the longest rule that fits decides. */
  readonly priority: number
  readonly text: string
  readonly line: number
}

export interface RobotsFile {
  readonly groups: readonly RobotsGroup[]
  readonly delaysMs: ReadonlyMap<string, number>
  readonly sitemaps: readonly string[]
}

/** More is no delay but a refusal to be crawled at a useful rate; keeps later sums in range. */
const MAX_DELAY_SECONDS = 86_400

export function parseRobotsLines(file: string | Buffer): RobotsFile {
  const groups: RobotsGroup[] = []
  const delaysMs = new Map<string, number>()
  const sitemaps: string[] = []
  let group: RobotsGroup | undefined
  let closed = false

  const lines = robotsLines(file)
  if (isHtml(lines)) return { groups, delaysMs, sitemaps }
  for (const [index, line] of lines.entries()) {
    const directive = directiveIn(line)
    if (!directive) continue
    const { name, value } = directive
    if (name === 'sitemap') {
      if (value !== '') sitemaps.push(value)
    } else if (name === 'user-agent') {
      if (!group || closed) {
        group = { agents: new Set(), rules: [] }
        groups.push(group)
      }
      closed = false
      if (value !== '') group.agents.add(agentToken(value))
    } else if (group && name === 'crawl-delay') {
      setDelay(delaysMs, group.agents, value)
    } else if (group) {
      closed = true
      addRule(group, name === 'allow', value, index + 1)
    }
  }
  return { groups, delaysMs, sitemaps }
}

function isHtml(lines: readonly string[]): boolean {
  const opening = lines.find((line) => /\S/.test(line)) ?? ''
  return /^\s*<(?:!doctype|!--|html|head|body|\?xml)/i.test(opening)
}

type DirectiveName = 'user-agent' | 'allow' | 'disallow' | 'sitemap' | 'crawl-delay'

const DIRECTIVES: readonly (readonly [RegExp, DirectiveName])[] = [
  [/^user[- ]?agent/i, 'user-agent'],
  [/^(?:disallow|dissallow|dissalow|disalow|diasllow|disallaw)/i, 'disallow'],
  [/^allow/i, 'allow'],
  [/^site-?map/i, 'sitemap'],
  [/^crawl-?delay/i, 'crawl-delay'],
]

function directiveIn(line: string): { name: DirectiveName; value: string } | undefined {
  const hash = line.indexOf('#')
  const content = trimmed(hash < 0 ? line : line.slice(0, hash))
  const colon = content.indexOf(':')
  // Some forget the colon: two words then make a directive, more do not.
  const [key = '', value = '', more] =
    colon < 0 ? content.split(/[ \t]+/, 3) : [trimmed(content.slice(0, colon)), trimmed(content.slice(colon + 1))]
  if (more !== undefined || (colon < 0 && value === '')) return undefined
  const name = DIRECTIVES.find(([pattern]) => pattern.test(key))?.[1]
  return name && { name, value }
}

/** Without white space of ASCII at its ends; other characters, such as a byte order mark within the file, are text. */
function trimmed(text: string): string {
  let start = 0
  let end = text.length
  while (start < end && isSpace(text.charCodeAt(start))) start++
  while (end > start && isSpace(text.charCodeAt(end - 1))) end--
  return text.slice(start, end)
}

const isSpace = (code: number) => code === 0x20 || (code >= 0x09 && code <= 0x0d)

/** Of a line in the file: the letters that may stand in a product token, up to the first that may not. */
function agentToken(value: string): string {
  if (/^\*(?:\s|$)/.test(value)) return '*'
  const token = /^[a-z_-]+/i.exec(value) ?? /^[^\s/]+/.exec(value)
  return token ? token[0].toLowerCase() : ''
}

/** `Orbweaver/1.0 (+https://…)` → `orbweaver`. What is no product token, as `Foo Bar`, stays as it is, and no file names it. */
export function productToken(agent: string): string {
  const name = /^[^\s/]+(?=\/|$)/.exec(agent)
  return (name ? name[0] : agent).toLowerCase()
}

/** Speaks to the agents named before it. Where several delays speak to one agent, the longest holds. */
function setDelay(delaysMs: Map<string, number>, agents: ReadonlySet<string>, value: string): void {
  const number = DELAY.exec(value)?.[1]
  if (number === undefined) return
  const ms = Math.ceil(Math.min(Number(number.replace(',', '.')), MAX_DELAY_SECONDS) * 1000)
  for (const agent of agents) delaysMs.set(agent, Math.max(ms, delaysMs.get(agent) ?? 0))
}

/** Seconds, as people write them: `10`, `.5`, `1,5`, `10s`, `5 seconds`. */
const DELAY = /^(\d+(?:[.,]\d*)?|[.,]\d+)\s*(?:s|secs?|seconds?)?$/i

/** An empty value is no rule: `Disallow:` allows everything. */
function addRule(group: RobotsGroup, allow: boolean, value: string, line: number): void {
  if (value === '') return
  const text = `${allow ? 'Allow' : 'Disallow'}: ${value}`
  const pattern = normalizeEscapes(value)
  group.rules.push({ allow, glob: robotsGlob(pattern), priority: octets(value), text, line })
  const folder = allow ? /^(.*\/)index\.htm[^/]*$/.exec(value)?.[1] : undefined
  if (folder !== undefined) {
    const glob = compileGlob(normalizeEscapes(folder), true)
    group.rules.push({ allow, glob, priority: octets(folder) + 1, text, line })
  }
}

/** How long a pattern is once what is beyond ASCII is escaped: three octets for each of its bytes. */
function octets(pattern: string): number {
  let ascii = 0
  for (let at = 0; at < pattern.length; at++) if (pattern.charCodeAt(at) < 128) ascii++
  return ascii === pattern.length ? ascii : ascii + (Buffer.byteLength(pattern) - ascii) * 3
}

/** A `$` at the end ties the pattern to the end of the path; elsewhere it is a character like others. */
function robotsGlob(pattern: string): Glob {
  return pattern.endsWith('$') ? compileGlob(pattern.slice(0, -1), true) : compileGlob(pattern, false)
}
