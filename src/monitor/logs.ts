import { createHash } from 'node:crypto'
import type { Clock } from '../clock.ts'
import { engineNews, fetches, lostLeases, robotsAnswers, safeGroups, settlements } from './events.ts'
import { redactedText, redactedUrl } from './redacted.ts'
import { watchStalls } from './stalls.ts'

export const logLevels = ['debug', 'info', 'warn', 'error'] as const
export type LogLevel = (typeof logLevels)[number]

export interface EventLogOptions {
  readonly level: LogLevel
  readonly clock: Clock
  /** One line, without its end. */
  readonly write: (line: string) => void
  /** On every line: which process it is. */
  readonly about: Readonly<Record<string, string>>
}

export interface EventLog extends Disposable {
  /** A sentence for people. */
  say(message: string, level?: LogLevel): void
}

type Fields = Readonly<Record<string, string | number | boolean | null | undefined>>

/**
 * What happens, as JSON lines: `at`, `level`, `event`, and what belongs to it. `urlId` is the same on all lines about one
 * URL, on every machine. What looks like a secret is left out.
 */
export function openEventLog({ level, clock, write, about }: EventLogOptions): EventLog {
  const least = logLevels.indexOf(level)
  const hears = (one: LogLevel) => logLevels.indexOf(one) >= least
  const put = (one: LogLevel, event: string, fields: Fields) => {
    if (hears(one))
      write(JSON.stringify({ at: new Date(clock.now()).toISOString(), level: one, event, ...about, ...fields }))
  }
  using stack = new DisposableStack()
  stack.use(
    engineNews.listen(({ engine, isAway, reason }) =>
      put(isAway ? 'warn' : 'info', isAway ? 'engine-away' : 'engine-back', { engine, reason: redactedText(reason) }),
    ),
  )
  if (hears('warn')) stack.use(watchStalls(clock, (ms) => put('warn', 'stalled', { ms: Math.round(ms) })))
  stack.use(lostLeases.listen(({ host }) => put('warn', 'lease-lost', { host })))
  stack.use(safeGroups.listen(({ phase }) => phase === 'failed' && put('error', 'not-stored', {})))
  stack.use(
    robotsAnswers.listen(({ origin, answer }) =>
      put(answer === 'rules' ? 'debug' : 'info', 'robots', { origin, answer }),
    ),
  )
  stack.use(
    settlements.listen(({ host, visit, answer }) => {
      const { url, kind } = visit
      const one = answer === 'lease-lost' || kind === 'dead' ? 'warn' : 'debug'
      if (!hears(one)) return
      const reason = 'reason' in visit ? visit.reason : undefined
      put(one, 'settled', { urlId: urlId(url), url: redactedUrl(url), host, kind, reason, answer })
    }),
  )
  // Asked for only where it is wanted: it is one line for each request.
  if (hears('debug'))
    stack.use(
      fetches.listen(({ url, status, code, durationMs }) =>
        put('debug', 'fetched', {
          ...{ urlId: urlId(url), url: redactedUrl(url), status, durationMs: Math.round(durationMs) },
          code: code || undefined,
        }),
      ),
    )
  const listening = stack.move()
  return {
    say: (message, one = 'info') => put(one, 'said', { message: redactedText(message) }),
    [Symbol.dispose]: () => listening.dispose(),
  }
}

export function urlId(url: string): string {
  return createHash('sha256').update(url).digest('hex').slice(0, 16)
}
