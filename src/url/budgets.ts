import type { TrapConfig } from './config.ts'
import { type CanonicalUrl, hostnameOf, hostOf, pathOf, registrableDomain } from './keys.ts'

export type BudgetName = 'facets' | 'query-budget' | 'pattern-budget' | 'subdomains'

const FACET_PARAMETERS = 3
const MAX_SHAPES = 30_000
const MAX_DOMAINS = 10_000

/**
 * How many URLs of one shape a site may have: what it makes without end by combining filters, counting on or inventing
 * names. Counted here, in bounded memory: a shape that was not met for long begins anew, and several threads or workers
 * count each for itself, so that the limits are the right order of magnitude and not exact.
 */
export class UrlBudgets {
  readonly #config: TrapConfig
  readonly #times = new Recent<number>(MAX_SHAPES)
  readonly #hostsOf = new Recent<Set<string>>(MAX_DOMAINS)

  constructor(config: TrapConfig) {
    this.#config = config
  }

  /** Counts a URL that is new; answers the budget that it is over, and what it is the budget of. */
  spend(url: CanonicalUrl): { readonly rule: BudgetName; readonly of: string } | undefined {
    const { maxFacets, maxQueries, maxOfPattern } = this.#config
    const whole = pathOf(url)
    const mark = whole.indexOf('?')
    const path = mark < 0 ? whole : whole.slice(0, mark)
    const host = hostOf(url)
    if (mark >= 0) {
      if (this.#count(`?${host}${path}`) > maxQueries) return { rule: 'query-budget', of: path }
      if (parameters(whole, mark) >= FACET_PARAMETERS && this.#count(`&${host}${path}`) > maxFacets)
        return { rule: 'facets', of: path }
    }
    const pattern = /\d/.test(path) ? path.replace(/[0-9a-f]*\d[0-9a-f-]*/gi, '#') : path
    if (pattern !== path && this.#count(`#${host}${pattern}`) > maxOfPattern)
      return { rule: 'pattern-budget', of: pattern }
    return this.#subdomain(hostnameOf(url))
  }

  #subdomain(hostname: string): { readonly rule: 'subdomains'; readonly of: string } | undefined {
    const domain = registrableDomain(hostname)
    if (domain === null || domain === hostname) return undefined
    const hosts = this.#hostsOf.get(domain) ?? new Set()
    this.#hostsOf.set(domain, hosts)
    if (hosts.has(hostname)) return undefined
    if (hosts.size >= this.#config.maxSubdomains) return { rule: 'subdomains', of: domain }
    hosts.add(hostname)
    return undefined
  }

  #count(shape: string): number {
    const times = (this.#times.get(shape) ?? 0) + 1
    this.#times.set(shape, times)
    return times
  }

  /** Shapes and domains that are remembered. */
  get remembered(): number {
    return this.#times.size + this.#hostsOf.size
  }
}

/** The latest keys with their values: when the newer half is full, the older one is dropped. */
class Recent<Value> {
  readonly #max: number
  #newer = new Map<string, Value>()
  #older = new Map<string, Value>()

  constructor(max: number) {
    this.#max = max
  }

  get size(): number {
    return this.#newer.size + this.#older.size
  }

  get(key: string): Value | undefined {
    return this.#newer.get(key) ?? this.#older.get(key)
  }

  set(key: string, value: Value): void {
    if (this.#newer.size >= this.#max / 2 && !this.#newer.has(key)) {
      this.#older = this.#newer
      this.#newer = new Map()
    }
    this.#newer.set(key, value)
  }
}

function parameters(whole: string, mark: number): number {
  let count = 1
  for (let at = whole.indexOf('&', mark); at >= 0; at = whole.indexOf('&', at + 1)) count++
  return count
}
