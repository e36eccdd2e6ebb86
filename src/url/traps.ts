import { calendarYear } from './calendar.ts'
import type { TrapConfig } from './config.ts'
import { type CanonicalUrl, pathOf } from './keys.ts'

/** URLs that a site makes without end, by the rule that recognises them. */
export type TrapName =
  | 'path-loop'
  | 'too-deep-path'
  | 'long-segment'
  | 'calendar'
  | 'too-many-parameters'
  | 'repeated-parameter'

/** The first rule that takes this URL for a trap. `now` is what calendars are measured from. */
export function trapIn(url: CanonicalUrl, now: number, config: TrapConfig): TrapName | undefined {
  const whole = pathOf(url)
  const mark = whole.indexOf('?')
  const path = mark < 0 ? whole : whole.slice(0, mark)
  return (
    trapInPath(path, config) ??
    (mark < 0 ? undefined : trapInQuery(whole.slice(mark + 1), config)) ??
    (isFarCalendar(whole, now, config) ? 'calendar' : undefined)
  )
}

function trapInPath(path: string, config: TrapConfig): TrapName | undefined {
  const segments = path.split('/')
  segments.shift()
  if (segments.length > config.maxPathSegments) return 'too-deep-path'
  if (path.length > config.maxSegmentBytes && segments.some((segment) => bytesOf(segment) > config.maxSegmentBytes))
    return 'long-segment'
  return segments.length >= config.maxPathRepeats && hasLoop(segments, config.maxPathRepeats) ? 'path-loop' : undefined
}

/** An escape stands for one byte: a title in Japanese is not long because it is written in escapes. */
function bytesOf(segment: string): number {
  let bytes = segment.length
  for (let at = segment.indexOf('%'); at >= 0; at = segment.indexOf('%', at + 1)) bytes -= 2
  return bytes
}

/** Whether a run of segments follows itself so often. Numbers may (`/img/1/1/1/111.jpg` is a common way to file things). */
function hasLoop(segments: readonly string[], repeats: number): boolean {
  for (let length = 1; length * repeats <= segments.length; length++) {
    // Segments equal to the one `length` before them: a whole loop is a stretch of (repeats − 1) × length of those.
    let stretch = 0
    for (let at = length; at < segments.length; at++) {
      const equal = segments[at] === segments[at - length] && !/^\d+$/.test(segments[at]!)
      stretch = equal ? stretch + 1 : 0
      if (stretch >= (repeats - 1) * length) return true
    }
  }
  return false
}

function trapInQuery(query: string, config: TrapConfig): TrapName | undefined {
  const parameters = query.split('&')
  if (parameters.length > config.maxParameters) return 'too-many-parameters'
  return repeats(parameters, config.maxRepeatedParameter) ? 'repeated-parameter' : undefined
}

const EQUAL_PARAMETERS = 3

/** One name too often, or the very same parameter three times. Canonical queries are sorted: equal names are neighbours. */
function repeats(parameters: readonly string[], maxOfName: number): boolean {
  if (parameters.length < EQUAL_PARAMETERS) return false
  let lastName = ''
  let ofName = 0
  const times = new Map<string, number>()
  for (const parameter of parameters) {
    const equals = parameter.indexOf('=')
    const name = equals < 0 ? parameter : parameter.slice(0, equals)
    ofName = name === lastName ? ofName + 1 : 1
    lastName = name
    const equal = (times.get(parameter) ?? 0) + 1
    times.set(parameter, equal)
    if (ofName > maxOfName || equal >= EQUAL_PARAMETERS) return true
  }
  return false
}

/** Further away than this a number is no year. A calendar that is walked page by page is stopped long before. */
const YEARS_AHEAD_AT_ALL = 300
const YEARS_BACK_AT_ALL = 1000

function isFarCalendar(path: string, now: number, config: TrapConfig): boolean {
  const year = calendarYear(path)
  if (year === undefined) return false
  const ahead = year - new Date(now).getUTCFullYear()
  if (ahead > YEARS_AHEAD_AT_ALL || -ahead > YEARS_BACK_AT_ALL) return false
  return ahead > config.calendarYearsAhead || -ahead > config.calendarYearsBack
}
