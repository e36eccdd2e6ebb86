import type { CircuitConfig, HostSettingsConfig, PolitenessConfig } from './config.ts'
import type { HostDecision } from './host-decisions.ts'

/** What has been decided for one host: its own settings where there are some, those of the crawl otherwise. */
export interface HostSettings {
  readonly delayMs: number
  readonly burst: number
  readonly connections: number
  readonly ignoreRobots: boolean
  readonly maxGapMs: number
  readonly throttledGapMs: number
  readonly maxCrawlDelayMs: number
  readonly maxRetryAfterMs: number
  readonly circuit: CircuitConfig
}

const CONNECTIONS_WITHOUT_DELAY = 64

/** Each setting comes from the most specific entry that has it: the name, then the longest `*.domain`, then the crawl. */
export function settingsFor(hostname: string, config: PolitenessConfig): HostSettings {
  if (config !== last?.config) last = { config, ofAll: isEmpty(config.hosts) ? settingsWith({}, config) : undefined }
  if (last.ofAll) return last.ofAll
  const own: HostSettingsConfig = {}
  for (const pattern of patternsFor(hostname)) Object.assign(own, definedIn(config.hosts[pattern]))
  return settingsWith(own, config)
}

/** Asked for every page. Where no host has settings of its own, all have the same. */
let last: { readonly config: PolitenessConfig; readonly ofAll: HostSettings | undefined } | undefined

function isEmpty(hosts: PolitenessConfig['hosts']): boolean {
  return Object.keys(hosts).length === 0
}

function settingsWith(own: HostSettingsConfig, config: PolitenessConfig): HostSettings {
  const delayMs = own.delayMs ?? config.delayMs
  return {
    delayMs,
    burst: own.burst ?? config.burst,
    connections: own.connections ?? config.connections ?? (delayMs === 0 ? CONNECTIONS_WITHOUT_DELAY : 1),
    ignoreRobots: own.ignoreRobots ?? false,
    maxGapMs: config.maxGapMs,
    throttledGapMs: config.throttledGapMs,
    maxCrawlDelayMs: config.maxCrawlDelayMs,
    maxRetryAfterMs: config.maxRetryAfterMs,
    circuit: config.circuit,
  }
}

/** The settings under a crawl-delay that the host asks for: it can only slow us down. */
export function withCrawlDelay(settings: HostSettings, crawlDelayMs: number | null): HostSettings {
  const askedMs = Math.min(crawlDelayMs ?? 0, settings.maxCrawlDelayMs)
  if (settings.ignoreRobots || askedMs <= settings.delayMs) return settings
  return { ...settings, delayMs: askedMs, burst: 1, connections: 1 }
}

/** The settings under what an operator has decided: a delay that is set for a host is kept one request at a time. */
export function withDecision(settings: HostSettings, { delayMs }: HostDecision): HostSettings {
  if (delayMs === undefined || delayMs === settings.delayMs) return settings
  return delayMs === 0 ? { ...settings, delayMs } : { ...settings, delayMs, burst: 1, connections: 1 }
}

/** `a.b.c` → `*.c`, `*.b.c`, `a.b.c`: the most specific last. */
export function patternsFor(hostname: string): string[] {
  const patterns = [hostname]
  for (let dot = hostname.indexOf('.'); dot >= 0; dot = hostname.indexOf('.', dot + 1))
    patterns.push(`*${hostname.slice(dot)}`)
  return patterns.reverse()
}

function definedIn(settings: HostSettingsConfig | undefined): HostSettingsConfig {
  return Object.fromEntries(Object.entries(settings ?? {}).filter(([, value]) => value !== undefined))
}
