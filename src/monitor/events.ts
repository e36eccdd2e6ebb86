/**
 * All that components report of their work, for whoever listens: metrics, logs, traces. Components know this file and
 * nothing else of the monitor; anybody can listen by the name of a channel (`orbweaver:fetch`…) through
 * `node:diagnostics_channel`.
 */
import type { Admission, Settled } from '../frontier/frontier.ts'
import { Topic } from './topic.ts'

/** Parts of a visit, in the order of a page. `visit` is the whole, from its first touch to its settlement. */
export type Stage = 'visit' | 'read' | 'compare' | 'archive' | 'record' | 'index' | 'offer' | 'safe' | 'settle'

export interface StageEnded {
  readonly url: string
  readonly stage: Stage
  /** Of `performance.now()`. */
  readonly startedAt: number
  readonly durationMs: number
  readonly failed: boolean
}

/** One request and its answer, or the failure that came in its place. */
export interface Fetched {
  readonly url: string
  /** `null`: no answer came. */
  readonly status: number | null
  /** Why none came; empty for an answer. */
  readonly code: string
  readonly durationMs: number
}

export interface SettledVisit {
  readonly host: string
  readonly visit: Settled
  readonly answer: 'settled' | 'lease-lost'
}

export interface Offered {
  readonly admissions: readonly Admission[]
}

export interface RobotsAnswered {
  readonly origin: string
  readonly answer: string
}

export interface LeaseLost {
  readonly host: string
}

/** Pages that are made safe together. `group` tells apart those that are under way. */
export interface SafeGroup {
  readonly group: number
  readonly phase: 'began' | 'safe' | 'failed'
}

export type EngineName = 'redis' | 'kafka' | 's3' | 'opensearch'

export interface EngineNews {
  readonly engine: EngineName
  readonly isAway: boolean
  /** What it said; empty when it is back. */
  readonly reason: string
}

export const stages = new Topic<StageEnded>('stage')
export const fetches = new Topic<Fetched>('fetch')
export const settlements = new Topic<SettledVisit>('settlement')
export const offers = new Topic<Offered>('offer')
export const robotsAnswers = new Topic<RobotsAnswered>('robots')
export const lostLeases = new Topic<LeaseLost>('lease-lost')
export const safeGroups = new Topic<SafeGroup>('safe-group')
export const engineNews = new Topic<EngineNews>('engine')

/** Runs a stage; those who listen learn how long it took. */
export function staged<T>(stage: Stage, url: string, run: () => T): T | Promise<Awaited<T>> {
  return stages.isHeard ? timed(stage, url, run) : run()
}

async function timed<T>(stage: Stage, url: string, run: () => T): Promise<Awaited<T>> {
  const startedAt = performance.now()
  let failed = true
  try {
    const value = await run()
    failed = false
    return value
  } finally {
    stages.tell({ url, stage, startedAt, durationMs: performance.now() - startedAt, failed })
  }
}

let groups = 0

/** A number for a group that nobody else in this process has. */
export const newGroup = () => groups++

/** Makes a group of pages safe; those who listen learn of its beginning too, since an engine may keep it waiting. */
export async function safely(flush: () => Promise<void>): Promise<void> {
  if (!safeGroups.isHeard) return flush()
  const group = newGroup()
  safeGroups.tell({ group, phase: 'began' })
  try {
    await flush()
    safeGroups.tell({ group, phase: 'safe' })
  } catch (error) {
    safeGroups.tell({ group, phase: 'failed' })
    throw error
  }
}
