import type { Clock } from '../clock.ts'
import { openFilesLimit } from '../fetch/open-files.ts'
import type { WorkerConfig } from './config.ts'
import { firstLevel, type LevelBounds, nextLevel } from './level.ts'
import { type MachineLoad, machineLoad, memoryOfMachine } from './machine.ts'
import { Slots } from './slots.ts'

const firstLimit = 128
const leastLimit = 16
const mostLimit = 10_000
/** Besides requests: the database, archive files, name look-ups. */
const otherFiles = 128

const shortestMs = 500
const longestMs = 10_000
const fewestRequests = 50

/** Slots as the configuration says: so many, or as many as prove useful. */
export function openSlots({ concurrency, maxMemoryBytes }: WorkerConfig, clock: Clock): Slots {
  if (concurrency !== null) return new Slots(concurrency)
  // Unused connections may take the other half.
  const most = Math.max(leastLimit, Math.min(mostLimit, Math.floor(openFilesLimit() / 2) - otherFiles))
  return adaptiveSlots(clock, { least: leastLimit, most }, machineLoad(maxMemoryBytes ?? memoryOfMachine() / 2))
}

/**
 * Slots whose number follows what they bring. It is looked at when each slot has been used about once since the last
 * change, for then the change shows, however slow the hosts are.
 */
export function adaptiveSlots(clock: Clock, bounds: LevelBounds, readLoad: () => MachineLoad): Slots {
  let level = firstLevel(Math.min(firstLimit, bounds.most))
  let startedAt = clock.now()
  let answered = 0
  let failed = 0
  /** Requests that began before the last change say nothing about it. */
  let leftover = 0

  const slots: Slots = new Slots(level.limit, (isAnswered) => {
    if (isAnswered === undefined) return
    if (leftover > 0) {
      leftover--
      if (leftover > 0) return
      startedAt = clock.now()
      slots.takeWasFull()
      return
    }
    if (isAnswered) answered++
    else failed++
    const elapsedMs = clock.now() - startedAt
    if (elapsedMs < shortestMs || answered + failed < fewestRequests) return
    if (answered + failed < level.limit && elapsedMs < longestMs) return
    look(elapsedMs)
  })

  function look(elapsedMs: number): void {
    const measured = { elapsedMs, answered, failed, wasFull: slots.takeWasFull(), ...readLoad() }
    level = nextLevel(level, measured, bounds)
    answered = 0
    failed = 0
    startedAt = clock.now()
    if (level.limit === slots.width) return
    leftover = slots.inUse
    slots.resize(level.limit)
  }

  return slots
}
