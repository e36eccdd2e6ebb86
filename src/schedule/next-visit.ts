import type { FreshRecord, NextVisit, UrlRecord } from '../store/url-record.ts'
import type { Intervals } from './config.ts'

/** What of a plan the next one rests on. */
type Before = Pick<NextVisit, 'intervalMs' | 'timesGone'>

/**
 * A page that changed is visited sooner, one that did not later. At these factors the interval settles where about three
 * visits in eight find something new.
 */
const SOONER = 0.5
const LATER = 1.5
/** A page that is gone may come back; after so many visits in vain nobody waits for it any more. */
const VISITS_IN_VAIN = 3

/**
 * When a URL is to be visited again, from what its last visit at `at` showed. Failed attempts are no business of the
 * schedule: the frontier tries again, and what was planned stays.
 */
export function nextVisit(
  seen: NextVisit['because'],
  before: Before | undefined,
  at: number,
  intervals: Intervals,
): Pick<NextVisit, 'dueAt' | 'intervalMs' | 'because' | 'timesGone'> {
  const timesGone = seen === 'gone' ? (before?.timesGone ?? 0) + 1 : 0
  const intervalMs = Math.round(interval(seen, before, timesGone, intervals))
  const isNever = timesGone >= VISITS_IN_VAIN
  return { dueAt: isNever ? null : at + intervalMs, intervalMs, because: seen, timesGone }
}

function interval(
  seen: NextVisit['because'],
  before: Before | undefined,
  timesGone: number,
  { minMs, maxMs }: Intervals,
): number {
  const within = (ms: number) => Math.min(maxMs, Math.max(minMs, ms))
  const middle = Math.sqrt(minMs * maxMs)
  if (seen === 'gone') return maxMs * 2 ** (timesGone - 1)
  if (!before || before.timesGone > 0) return middle
  switch (seen) {
    case 'first':
      return middle
    case 'changed':
      return within(before.intervalMs * SOONER)
    case 'unchanged':
      return within(before.intervalMs * LATER)
    default:
      return seen satisfies never
  }
}

/**
 * Whether a visit that was asked for has been made already: by somebody else who was asked too, or by one who died before
 * the frontier heard of it. Clocks differ, so a visit counts for half an interval.
 */
export function wasJustMade({ next }: Pick<UrlRecord, 'next'>, now: number): boolean {
  return next !== undefined && (next.dueAt === null || now < next.dueAt - next.intervalMs / 2)
}

/** The parts of a record that tell what a visitor sees. */
type Shown = Pick<FreshRecord, 'kind' | 'status' | 'finalUrl' | 'title' | 'text' | 'links' | 'contentHash'>

/**
 * What a visit showed, against the record of the one before. A page with the same title, words and links has not changed,
 * whatever its bytes say: many carry a token or the time of day.
 */
export function comparison(before: Shown | undefined, now: Shown): NextVisit['because'] {
  if (now.status === 404 || now.status === 410) return 'gone'
  if (!before) return 'first'
  return isSame(before, now) ? 'unchanged' : 'changed'
}

function isSame(before: Shown, now: Shown): boolean {
  if (before.kind !== now.kind || before.status !== now.status || before.finalUrl !== now.finalUrl) return false
  if (before.contentHash === now.contentHash || now.kind === 'redirect') return true
  if (now.kind !== 'page' || now.text === '') return false
  return before.title === now.title && areEqual(before.links, now.links) && `${before.text}` === `${now.text}`
}

function areEqual(some: readonly string[], others: readonly string[]): boolean {
  return some.length === others.length && some.every((one, at) => one === others[at])
}
