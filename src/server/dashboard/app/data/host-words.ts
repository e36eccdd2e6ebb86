import type { Host } from '../../../api/schemas/host.ts'
import { duration, relative } from './format.ts'

export const paceInWords = (gapMs: number): string => (gapMs === 0 ? 'no delay' : `every ${duration(gapMs)}`)

/** When the host is visited next, or why it is not. */
export function nextVisit({ counts, setting, nextTouchAt }: Host, now: number): string {
  if (setting.block) return 'never'
  if (counts.queued + counts.leased === 0) return '–'
  if (setting.pause) return 'when resumed'
  if (counts.leased > 0) return 'now'
  return relative(Math.max(nextTouchAt, now), now)
}

export function robotsInWords(robots: Host['robots'], now: number): string {
  if (robots === null) return 'not asked for'
  const { fetchedAt, expiresAt, detail } = robots
  return `${detail}; fetched ${relative(fetchedAt, now)}, asked for again ${relative(expiresAt, now)}`
}
