import { patternsFor } from './host-settings.ts'

/** What an operator has decided for a host while crawls run. */
export interface HostDecision {
  readonly delayMs?: number | undefined
  /** Nothing is fetched from this host, and what is queued is given up. */
  readonly block?: boolean | undefined
  /** Nothing is fetched from this host until this is taken back. */
  readonly pause?: boolean | undefined
  /** Why, for people. */
  readonly note?: string | undefined
}

export interface HostDecisionEntry {
  /** A host name, or `*.domain`. */
  readonly host: string
  readonly setting: HostDecision
}

/** Decisions about hosts, for all crawls that share them. */
export interface HostDecisions {
  /** What holds for a host, as known here: each setting from the most specific entry that has it. */
  for(hostname: string): HostDecision
  /** Takes the place of what was decided for this host or `*.domain` before. */
  set(host: string, decision: HostDecision): Promise<void>
  /** False: there was nothing. */
  remove(host: string): Promise<boolean>
  /** By name. */
  list(): Promise<readonly HostDecisionEntry[]>
}

const nothing: HostDecision = {}

/** What holds for a host among decisions by name and `*.domain`. */
export function decisionAmong(decisions: ReadonlyMap<string, HostDecision>, hostname: string): HostDecision {
  if (decisions.size === 0) return nothing
  return Object.assign({}, ...patternsFor(hostname).map((pattern) => decisions.get(pattern)))
}
