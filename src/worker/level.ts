/**
 * How many requests are useful at the same time. Found by trying, like a climber in fog: a step up stays if it brings
 * more answers, a step down stays if it costs none, and otherwise the step is taken back and the next try waits longer.
 * Answers are what counts, so requests that fail because there are too many of them speak against the step. Memory that
 * runs out, or failures that suddenly prevail, lead down at once.
 */
export interface Level {
  readonly limit: number
  /** The step that is being tried. */
  readonly trial: Trial | null
  /** Answers a second at this level, smoothed; 0 as long as nothing is known. */
  readonly rate: number
  /** Share of requests that failed, smoothed. */
  readonly failedShare: number | null
  /** Until the first step that failed the climb goes in long steps. */
  readonly isStarting: boolean
  /** Which way the next try goes. */
  readonly direction: 'up' | 'down'
  /** Measurements before the next try, now and after the next one that fails. */
  readonly restFor: number
  readonly nextRest: number
}

interface Trial {
  readonly from: number
  readonly rate: number
}

/** What happened while every slot was used about once. */
export interface Measured {
  readonly elapsedMs: number
  readonly answered: number
  readonly failed: number
  /** Whether anybody had to wait for a slot: if not, the limit limited nothing and nothing can be learned about it. */
  readonly wasFull: boolean
  /** Share of the time for which our own thread was busy. */
  readonly busyShare: number
  /** Memory in use, as a share of what may be used. */
  readonly memoryShare: number
}

export interface LevelBounds {
  readonly least: number
  readonly most: number
}

const longStep = 2
const stepUp = 1.25
const stepDown = 0.9
/** A step must bring at least this share of what it would if there were no limit but ours. */
const worthwhile = 0.3
/** A step down must cost next to nothing: hosts that wait for a slot fall behind the pace they allow. */
const tolerated = 0.995
const smoothing = 0.3
const backOff = 0.7
const longestRest = 16
const busy = 0.95
const memoryLow = 0.85

export function firstLevel(limit: number): Level {
  return {
    ...{ limit, trial: null, rate: 0, failedShare: null },
    ...{ isStarting: true, direction: 'up', restFor: 0, nextRest: 2 },
  }
}

export function nextLevel(level: Level, measured: Measured, bounds: LevelBounds): Level {
  const failedShare = measured.failed / Math.max(1, measured.answered + measured.failed)
  const known = level.failedShare ?? failedShare
  const seen = { ...level, failedShare: known + smoothing * (failedShare - known) }
  const isCollapse = failedShare > 0.5 && failedShare > 2 * known
  if (measured.memoryShare > 1 || isCollapse) return afterAlarm(seen, bounds)
  if (!measured.wasFull) return { ...seen, trial: null }
  const rate = (measured.answered * 1000) / Math.max(1, measured.elapsedMs)
  if (seen.trial) return judged(seen, seen.trial, rate, measured, bounds)
  const smoothed = seen.rate === 0 ? rate : seen.rate + smoothing * (rate - seen.rate)
  const rested = { ...seen, rate: smoothed, restFor: seen.restFor - 1 }
  return rested.restFor > 0 ? rested : stepped(rested, measured, bounds)
}

function afterAlarm(level: Level, bounds: LevelBounds): Level {
  const limit = within(bounds, level.limit * backOff)
  return { ...level, limit, trial: null, rate: 0, isStarting: false, direction: 'up', restFor: 4 }
}

function judged(level: Level, trial: Trial, rate: number, measured: Measured, bounds: LevelBounds): Level {
  const isUp = level.limit > trial.from
  const wanted = trial.rate * (isUp ? 1 + worthwhile * (level.limit / trial.from - 1) : tolerated)
  if (rate >= wanted) return stepped({ ...level, trial: null, rate, nextRest: 2 }, measured, bounds)
  return {
    ...{ ...level, limit: trial.from, trial: null, rate: trial.rate, isStarting: false },
    ...{ direction: isUp ? 'down' : 'up', restFor: level.nextRest },
    nextRest: Math.min(longestRest, level.nextRest * 2),
  }
}

/** Tries a step. More requests cannot help a thread that is busy all the time, nor memory that is nearly used up. */
function stepped(level: Level, { busyShare, memoryShare }: Measured, bounds: LevelBounds): Level {
  const goesUp = busyShare < busy && (level.direction === 'up' || level.isStarting)
  if (goesUp && memoryShare > memoryLow) return level
  const factor = goesUp ? (level.isStarting ? longStep : stepUp) : stepDown
  const limit = within(bounds, level.limit * factor)
  if (limit === level.limit) return { ...level, direction: goesUp ? 'down' : 'up', restFor: level.nextRest }
  const isStarting = level.isStarting && goesUp
  return { ...level, limit, isStarting, trial: { from: level.limit, rate: level.rate } }
}

function within({ least, most }: LevelBounds, limit: number): number {
  return Math.min(most, Math.max(least, Math.round(limit)))
}
