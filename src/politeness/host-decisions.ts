import * as z from 'zod'
import { patternsFor } from './host-settings.ts'

export const hostDecision = z.strictObject({
  delayMs: z.int().min(0).max(86_400_000).optional().describe('Time between the starts of two requests to this host'),
  block: z.boolean().optional().describe('Nothing is fetched from this host, and what is queued is excluded'),
  pause: z.boolean().optional().describe('Nothing is fetched from this host until this is taken back'),
  note: z.string().max(1000).optional().describe('Why, for people'),
})

/** What an operator has decided for a host while crawls run. */
export type HostDecision = Readonly<z.infer<typeof hostDecision>>

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
