import { compileGlob, type Glob } from '../url/glob.ts'
import { normalizeEscapes } from '../url/percent.ts'

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
  /** Length of the pattern: the longest rule that fits decides. */
  readonly priority: number
  readonly text: string
  readonly line: number
}

export interface RobotsFile {
  readonly groups: readonly RobotsGroup[]
  readonly delaysMs: ReadonlyMap<string, number>
  readonly sitemaps: readonly string[]
}

/** What RFC 9309 requires a crawler to read; the rest is ignored, with the line that the limit cuts. */
export const MAX_ROBOTS_BYTES = 500 * 1024

/** More is no delay but a refusal to be crawled at a useful rate; keeps later sums in range. */
const MAX_DELAY_SECONDS = 86_400

export function parseRobotsLines(file: string | Buffer): RobotsFile {
  const groups: RobotsGroup[] = []
  const delaysMs = new Map<string, number>()
  const sitemaps: string[] = []
  let group: RobotsGroup | undefined
  let closed = false

  const text = limitedText(file)
  if (isHtml(text)) return { groups, delaysMs, sitemaps }
  for (const [index, line] of text.split(/\r\n|\r|\n/).entries()) {
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

function limitedText(file: string | Buffer): string {
  const bytes = typeof file === 'string' && file.length * 3 <= MAX_ROBOTS_BYTES ? undefined : Buffer.from(file)
  let text = bytes ? bytes.toString('utf8', 0, MAX_ROBOTS_BYTES) : String(file)
  if (bytes && bytes.length > MAX_ROBOTS_BYTES)
    text = text.slice(0, Math.max(text.lastIndexOf('\n'), text.lastIndexOf('\r')) + 1)
  return text.startsWith('\ufeff') ? text.slice(1) : text
}

function isHtml(text: string): boolean {
  return /^\s*<(?:!doctype|!--|html|head|body|\?xml)/i.test(text.slice(0, 1024))
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
  const content = (hash < 0 ? line : line.slice(0, hash)).trim()
  const colon = content.indexOf(':')
  // Some forget the colon: two words then make a directive, more do not.
  const [key = '', value = '', more] =
    colon < 0 ? content.split(/[ \t]+/, 3) : [content.slice(0, colon).trim(), content.slice(colon + 1).trim()]
  if (more !== undefined || (colon < 0 && value === '')) return undefined
  const name = DIRECTIVES.find(([pattern]) => pattern.test(key))?.[1]
  return name && { name, value }
}

function agentToken(value: string): string {
  return /^\*(?:\s|$)/.test(value) ? '*' : productToken(value)
}

/** `Orbweaver/1.0 (+https://…)` → `orbweaver`. A name that begins as no product token may is taken up to its version. */
export function productToken(agent: string): string {
  const name = /^[a-z_-]+/i.exec(agent.trim()) ?? /^[^\s/]+/.exec(agent.trim())
  return name ? name[0].toLowerCase() : ''
}

/** Speaks to the agents named before it. Where several delays speak to one agent, the longest holds. */
function setDelay(delaysMs: Map<string, number>, agents: ReadonlySet<string>, value: string): void {
  if (!/^(?:\d+\.?\d*|\.\d+)$/.test(value)) return
  const ms = Math.ceil(Math.min(Number(value), MAX_DELAY_SECONDS) * 1000)
  for (const agent of agents) delaysMs.set(agent, Math.max(ms, delaysMs.get(agent) ?? 0))
}

/** An empty value is no rule: `Disallow:` allows everything. */
function addRule(group: RobotsGroup, allow: boolean, value: string, line: number): void {
  if (value === '') return
  const text = `${allow ? 'Allow' : 'Disallow'}: ${value}`
  const pattern = normalizeEscapes(value)
  group.rules.push({ allow, glob: robotsGlob(pattern), priority: pattern.length, text, line })
  const folder = allow ? /^(.*\/)index\.htm[^/]*$/.exec(pattern)?.[1] : undefined
  if (folder !== undefined)
    group.rules.push({ allow, glob: compileGlob(folder, true), priority: folder.length + 1, text, line })
}

/** A `$` at the end ties the pattern to the end of the path; elsewhere it is a character like others. */
function robotsGlob(pattern: string): Glob {
  return pattern.endsWith('$') ? compileGlob(pattern.slice(0, -1), true) : compileGlob(pattern, false)
}
