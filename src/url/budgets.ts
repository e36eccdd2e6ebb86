import type { TrapConfig } from './config.ts'
import { type CanonicalUrl, hostnameOf, hostOf, pathOf, registrableDomain } from './keys.ts'

export type BudgetName = 'facets' | 'query-budget' | 'pattern-budget' | 'subdomains'

export interface OverBudget {
  readonly rule: BudgetName
  /** What it is the budget of: a path, its pattern, a domain. */
  readonly of: string
}

/** Counts the URLs of shapes, and the members of groups. */
export interface ShapeCounts {
  /** One URL more of this shape; answers how many there are. */
  count(shape: string): number
  /** Adds a member to a group if it is not in it already; false: the group has `max` others. */
  join(group: string, member: string, max: number): boolean
}

const FACET_PARAMETERS = 3

/**
 * Spends a new URL of the budgets of its site: how many URLs of one shape it may have, which it makes without end by
 * combining filters, counting on or inventing names. `undefined`: it is within them.
 */
export function overBudget(url: CanonicalUrl, config: TrapConfig, counts: ShapeCounts): OverBudget | undefined {
  const whole = pathOf(url)
  const mark = whole.indexOf('?')
  const path = mark < 0 ? whole : whole.slice(0, mark)
  const host = hostOf(url)
  if (mark >= 0) {
    if (counts.count(`?${host}${path}`) > config.maxQueries) return { rule: 'query-budget', of: path }
    const isFaceted = parameters(whole, mark) >= FACET_PARAMETERS
    if (isFaceted && counts.count(`&${host}${path}`) > config.maxFacets) return { rule: 'facets', of: path }
  }
  const pattern = /\d/.test(path) ? path.replace(/[0-9a-f]*\d[0-9a-f-]*/gi, '#') : path
  if (pattern !== path && counts.count(`#${host}${pattern}`) > config.maxOfPattern)
    return { rule: 'pattern-budget', of: pattern }
  const hostname = hostnameOf(url)
  const domain = registrableDomain(hostname)
  if (domain === null || domain === hostname || counts.join(domain, hostname, config.maxSubdomains)) return undefined
  return { rule: 'subdomains', of: domain }
}

/** As it is kept and shown: `facets: /shop`. */
export function budgetRefusal({ rule, of }: OverBudget): string {
  return `${rule}: ${of}`
}

function parameters(whole: string, mark: number): number {
  let count = 1
  for (let at = whole.indexOf('&', mark); at >= 0; at = whole.indexOf('&', at + 1)) count++
  return count
}
