/**
 * How many workers the load asks for. Pure: time comes in, and what must be remembered goes out and comes back.
 *
 * What counts is work that politeness lets be done: hosts that may be touched now and are not, since all workers
 * are busy. The length of the queue says nothing; a million URLs of one host need one worker.
 */
import type { ScalingConfig } from './scaling-config.ts'

/** The fleet, at one moment. */
export interface Load {
  /** That live, and fetch. */
  readonly workers: number
  /** Whether any crawl is running. */
  readonly hasWork: boolean
  /** Mean over the workers, as a share of their cores and of the memory that they may use; `null`: not known yet. */
  readonly cpuShare: number | null
  readonly memoryShare: number | null
  /** What one bears that can take no more; `null`: none is so busy now. */
  readonly hostsOfFull: number | null
  /** That workers hold and serve: by a request, or by waiting until their pace allows one. */
  readonly servedHosts: number
  /** That might be touched now, and are not: nobody has taken them, or their holder is busy with others. */
  readonly waitingHosts: number
}

/** What must be remembered from one decision to the next. */
export interface ScalingState {
  /** What the load alone has asked for, the oldest first. */
  readonly asked: readonly { readonly at: number; readonly workers: number }[]
  /** What was decided last; workers take a while to come and go. `null`: nothing was, so those that live are right. */
  readonly wanted: number | null
  readonly changedAt: number | null
  /** Hosts that a worker bore when it could take no more; `null`: that was never seen. */
  readonly hostsPerWorker: number | null
}

export const unscaled: ScalingState = { asked: [], wanted: null, changedAt: null, hostsPerWorker: null }

export interface ScalingDecision {
  readonly wanted: number
  /** In words, for people: what asks for more or fewer, and what holds it back. */
  readonly reasons: readonly string[]
  readonly state: ScalingState
}

type Rules = Pick<
  ScalingConfig,
  'minWorkers' | 'maxWorkers' | 'targetCpuShare' | 'targetMemoryShare' | 'upCoolDownMs' | 'downCoolDownMs' | 'tolerance'
>

export function decideScale(load: Load, before: ScalingState, rules: Rules, now: number): ScalingDecision {
  const current = before.wanted ?? load.workers
  const hostsPerWorker = learnedCapacity(load, before)
  const pressure = strongest(pressures(load, hostsPerWorker, rules))
  const asked = within(rules, askedFor(load, pressure, rules))
  const history = remembered(before, { at: now, workers: asked }, rules, now)
  const decided = (wanted: number, changedAt: number | null, ...reasons: string[]): ScalingDecision => ({
    ...{ wanted, reasons },
    state: { asked: history, wanted, changedAt, hostsPerWorker },
  })
  const stay = (...reasons: string[]) => decided(current, before.changedAt, ...reasons)
  const change = (wanted: number, ...reasons: string[]) => decided(wanted, now, ...reasons)
  if (current < rules.minWorkers) return change(rules.minWorkers, `never fewer than ${rules.minWorkers}`)
  if (current > rules.maxWorkers) return change(rules.maxWorkers, `never more than ${rules.maxWorkers}`)
  if (asked === current) return stay(pressure.says, ...limitSays(rules, current, pressure))
  const sinceChangeMs = before.changedAt === null ? Number.POSITIVE_INFINITY : now - before.changedAt
  if (asked < current) return shrunk(current, history, sinceChangeMs, rules, now, { pressure, stay, change })
  if (sinceChangeMs < rules.upCoolDownMs) return stay(pressure.says, coolingSays(rules.upCoolDownMs - sinceChangeMs))
  return change(Math.min(asked, Math.max(1, 2 * current)), pressure.says)
}

interface Pressure {
  /** 1: just what the workers bear. */
  readonly factor: number
  readonly says: string
}

interface Ways {
  readonly pressure: Pressure
  readonly stay: (...reasons: string[]) => ScalingDecision
  readonly change: (wanted: number, ...reasons: string[]) => ScalingDecision
}

/** Down only to what was enough at every moment of the cool-down: one lull ends no worker. */
function shrunk(
  current: number,
  history: ScalingState['asked'],
  sinceChangeMs: number,
  { downCoolDownMs }: Rules,
  now: number,
  { pressure, stay, change }: Ways,
): ScalingDecision {
  const watchedMs = Math.min(sinceChangeMs, now - history[0]!.at)
  if (watchedMs < downCoolDownMs) return stay(pressure.says, coolingSays(downCoolDownMs - watchedMs))
  const enough = Math.max(...history.map((one) => one.workers))
  if (enough >= current) return stay(pressure.says, 'a moment ago all of them were needed')
  if (rises(history)) return stay(pressure.says, 'the load is growing')
  return change(Math.max(enough, Math.floor(current / 2)), pressure.says)
}

/** What one worker bears is seen when it is full. Others may have just begun, and hold nothing yet. */
function learnedCapacity({ hostsOfFull: seen }: Load, { hostsPerWorker }: ScalingState): number | null {
  if (seen === null || seen === 0) return hostsPerWorker
  if (hostsPerWorker === null) return seen
  // More slowly up than down: what a worker was seen to bear for a moment it need not bear for long.
  return hostsPerWorker + (seen - hostsPerWorker) / (seen < hostsPerWorker ? 4 : 32)
}

function pressures(load: Load, hostsPerWorker: number | null, rules: Rules): Pressure[] {
  const { workers, servedHosts, waitingHosts, cpuShare, memoryShare } = load
  const found: Pressure[] = []
  if (cpuShare !== null)
    found.push({ factor: cpuShare / rules.targetCpuShare, says: `CPU ${percent(cpuShare)} of the workers' cores` })
  if (memoryShare !== null && memoryShare > rules.targetMemoryShare)
    found.push({ factor: memoryShare / rules.targetMemoryShare, says: `memory ${percent(memoryShare)}` })
  if (hostsPerWorker !== null && workers > 0) {
    const factor = (servedHosts + waitingHosts) / (workers * hostsPerWorker)
    found.push({ factor, says: `${waitingHosts} hosts wait, ${servedHosts} are served by ${workers} workers` })
  } else if (waitingHosts > 0) {
    found.push({ factor: 2, says: `${waitingHosts} hosts wait, and nobody serves one` })
  }
  return found
}

function strongest(found: readonly Pressure[]): Pressure {
  const idle: Pressure = { factor: 0, says: 'nothing waits' }
  return found.reduce((most, one) => (one.factor > most.factor ? one : most), idle)
}

function askedFor({ workers, hasWork }: Load, { factor }: Pressure, { minWorkers, tolerance }: Rules): number {
  if (!hasWork) return minWorkers
  if (workers === 0) return 1
  if (factor > 1 + tolerance) return Math.max(workers + 1, Math.ceil(workers * factor))
  // Fewer must bear it with as much to spare as would make them more again.
  const enough = Math.max(1, Math.ceil((workers * factor) / (1 - tolerance)))
  return Math.min(workers, enough)
}

const within = ({ minWorkers, maxWorkers }: Rules, workers: number) =>
  Math.max(minWorkers, Math.min(maxWorkers, workers))

function remembered(
  { asked }: ScalingState,
  latest: ScalingState['asked'][number],
  { downCoolDownMs }: Rules,
  now: number,
): ScalingState['asked'] {
  const older = asked.filter(({ at }) => at <= now)
  // One that is older than the cool-down shows that all of it was watched.
  const from = older.findLastIndex(({ at }) => at <= now - downCoolDownMs)
  return [...older.slice(Math.max(0, from)), latest].slice(-maxRemembered)
}

const maxRemembered = 1000

/** Whether the later half has asked for more than the earlier one. */
function rises(history: ScalingState['asked']): boolean {
  if (history.length < 4) return false
  const half = Math.floor(history.length / 2)
  const mean = (part: ScalingState['asked']) => part.reduce((sum, { workers }) => sum + workers, 0) / part.length
  return mean(history.slice(half)) > mean(history.slice(0, half)) + 0.5
}

function limitSays({ maxWorkers, tolerance }: Rules, current: number, { factor }: Pressure): string[] {
  return factor > 1 + tolerance && current === maxWorkers ? [`never more than ${maxWorkers}`] : []
}

const coolingSays = (leftMs: number) => `waits ${Math.ceil(leftMs / 1000)} s before the next change`
const percent = (share: number) => `${Math.round(share * 100)} %`
