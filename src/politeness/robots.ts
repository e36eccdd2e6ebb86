import { globMatches } from '../url/glob.ts'
import { normalizeEscapes } from '../url/percent.ts'
import { parseRobotsLines, productToken, type RobotsGroup, type RobotsRule } from './robots-parse.ts'

/** The name by which robots.txt files speak to us. */
export const ROBOTS_TOKEN = 'orbweaver'

/** What a robots.txt says, to everyone. */
export interface RobotsRules {
  readonly groups: readonly RobotsGroup[]
  /** Crawl-delay by product token in lower case; `*` for all others. */
  readonly delaysMs: ReadonlyMap<string, number>
  /** As written. */
  readonly sitemaps: readonly string[]
  readonly ruleCount: number
  /** The rules for one agent, longest first: filled when first asked for. */
  readonly byAgent: Map<string, readonly RobotsRule[]>
}

export interface RobotsVerdict {
  readonly allowed: boolean
  /** The rule that decided, as `Disallow: /private`; `null` when none fits. */
  readonly rule: string | null
  readonly line: number | null
}

/** Never throws: what is not understood is skipped. A page of HTML, sent by servers that know no 404, has no rules. */
export function parseRobots(file: string | Buffer): RobotsRules {
  const { groups, delaysMs, sitemaps } = parseRobotsLines(file)
  const ruleCount = groups.reduce((sum, group) => sum + group.rules.length, 0)
  return { groups, delaysMs, sitemaps, ruleCount, byAgent: new Map() }
}

const UNRULED: RobotsVerdict = { allowed: true, rule: null, line: null }

/** May `agent` (a product token, or a whole User-Agent) fetch this absolute URL? The longest rule decides; of two equal ones, Allow. */
export function verdict(rules: RobotsRules, agent: string, url: string): RobotsVerdict {
  const found = rulesFor(rules, agent)
  if (found.length === 0) return UNRULED
  const path = robotsPath(url)
  if (path === '/robots.txt') return UNRULED
  for (const rule of found) {
    if (globMatches(rule.glob, path)) return { allowed: rule.allow, rule: rule.text, line: rule.line }
  }
  return UNRULED
}

/** What the group for `agent` asks for, in milliseconds; `null` if nothing. */
export function crawlDelayMs(rules: RobotsRules, agent: string): number | null {
  return rules.delaysMs.size === 0 ? null : (rules.delaysMs.get(groupName(rules, agent)) ?? null)
}

function rulesFor(rules: RobotsRules, agent: string): readonly RobotsRule[] {
  const known = rules.byAgent.get(agent)
  if (known) return known
  const name = groupName(rules, agent)
  const found = rules.groups.filter((group) => group.agents.has(name)).flatMap((group) => group.rules)
  found.sort((a, b) => b.priority - a.priority || Number(b.allow) - Number(a.allow))
  rules.byAgent.set(agent, found)
  return found
}

/** Groups that name the agent are all that counts for it, even when they hold no rule; without any, those for `*`. */
function groupName(rules: RobotsRules, agent: string): string {
  const token = productToken(agent)
  return rules.groups.some((group) => group.agents.has(token)) ? token : '*'
}

/** Path and query, as rules are compared with them. Also of a URL that lacks scheme, host or path, as people type it. */
function robotsPath(url: string): string {
  const from = url.startsWith('//') ? 2 : 0
  const scheme = url.indexOf('://', from)
  const early = beginningOfPath(url, from)
  const start = scheme < 0 || early < scheme ? early : beginningOfPath(url, scheme + 3)
  const hash = url.indexOf('#', from)
  if (start === url.length || (hash >= 0 && hash < start)) return '/'
  const path = url.slice(start, hash < 0 ? url.length : hash)
  return normalizeEscapes(path.startsWith('/') ? path : `/${path}`)
}

function beginningOfPath(url: string, from: number): number {
  let at = from
  while (at < url.length && url[at] !== '/' && url[at] !== '?' && url[at] !== ';') at++
  return at
}
