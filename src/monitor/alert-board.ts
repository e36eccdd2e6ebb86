import type { Clock } from '../clock.ts'
import { nearest } from '../config/load.ts'
import { UsageError } from '../config/usage-error.ts'
import type { Alert, Silence } from '../server/api/schemas/alert.ts'
import { type ActionName, type AlertState, fine, judge, type Measures, type Rule } from './alerts.ts'
import type { AlertsConfig } from './config.ts'
import type { AlertNews, Notifier } from './notify/news.ts'

/** Until when alerts are silent, by rule. */
export interface Silences {
  all(): Promise<ReadonlyMap<string, number>>
  /** `until` 0: no longer. */
  set(rule: string, until: number): Promise<void>
}

/** What the orchestrator can do about an alert. Answers what it did, in words for people. */
export type Actions = Readonly<Partial<Record<ActionName, (begins: boolean) => Promise<string>>>>

export interface AlertBoardOptions {
  readonly rules: readonly Rule[]
  readonly config: Pick<AlertsConfig, 'actions' | 'repeatMs'>
  readonly silences: Silences
  readonly notifiers: readonly Notifier[]
  readonly actions: Actions
  /** Of several orchestrators all judge, and one tells and acts. */
  readonly leads: () => boolean
  readonly clock: Clock
  readonly log: (line: string) => void
}

interface Entry {
  readonly rule: Rule
  state: AlertState
  /** When it began to fire, for as long as it does. */
  firingSince: number
  toldAt: number
  done: string
}

const silencesMs = 2000

/** The rules and what they say now; tells people and takes action when that changes. */
export class AlertBoard {
  readonly #options: AlertBoardOptions
  readonly #entries: ReadonlyMap<string, Entry>
  #lastSilences: ReadonlyMap<string, number> = new Map()

  constructor(options: AlertBoardOptions) {
    this.#options = options
    const entries = options.rules.map((rule): Entry => ({ rule, state: fine, firingSince: 0, toldAt: 0, done: '' }))
    this.#entries = new Map(entries.map((entry) => [entry.rule.id, entry]))
  }

  get firing(): number {
    return [...this.#entries.values()].filter(({ state }) => state.state === 'firing').length
  }

  /** Judges every rule once. Never rejects for what cannot be told or done: that is logged. */
  async look(measures: Measures): Promise<void> {
    const now = this.#options.clock.now()
    for (const entry of this.#entries.values()) await this.#judge(entry, measures, now)
  }

  async list(): Promise<Alert[]> {
    const silences = await this.#silences()
    return [...this.#entries.values()].map((entry) => this.#shown(entry, silences))
  }

  async silence(id: string, { forMs }: Pick<Silence, 'forMs'>): Promise<Alert | undefined> {
    return this.#setSilence(id, this.#options.clock.now() + forMs)
  }

  async unsilence(id: string): Promise<Alert | undefined> {
    return this.#setSilence(id, 0)
  }

  /** An engine that is away must not keep the news of it back: then those known last count. */
  async #silences(): Promise<ReadonlyMap<string, number>> {
    const { silences, clock } = this.#options
    const answered = new AbortController()
    const asked = silences.all().then((all) => {
      this.#lastSilences = all
    })
    asked.catch(() => {})
    await Promise.race([asked, clock.sleep(silencesMs, answered.signal)]).finally(() => answered.abort())
    return this.#lastSilences
  }

  async #judge(entry: Entry, measures: Measures, now: number): Promise<void> {
    const before = entry.state.state
    entry.state = judge(entry.rule, measures, entry.state, now)
    const after = entry.state.state
    if (before !== 'firing' && after === 'firing') {
      entry.firingSince = now
      await this.#announce(entry, 'firing', now)
    } else if (before === 'firing' && after !== 'firing') await this.#announce(entry, 'resolved', now)
    else if (after === 'firing' && now - entry.toldAt >= this.#options.config.repeatMs)
      await this.#announce(entry, 'still-firing', now)
  }

  async #announce(entry: Entry, kind: AlertNews['kind'], now: number): Promise<void> {
    const { leads, log } = this.#options
    entry.toldAt = now
    if (!leads()) return
    const { rule, state, firingSince } = entry
    if (kind !== 'still-firing') entry.done = await this.#act(rule, kind === 'firing')
    log(`alert ${rule.id}: ${kind}${entry.done ? ` (${entry.done})` : ''}`)
    const silentUntil = (await this.#silences()).get(rule.id) ?? 0
    if (silentUntil > now) return
    await this.#tell({ kind, rule, value: state.value, since: firingSince, at: now, done: entry.done })
  }

  async #act({ action }: Rule, begins: boolean): Promise<string> {
    const { actions, config, log } = this.#options
    const act = config.actions ? actions[action] : undefined
    if (!act) return ''
    try {
      return await act(begins)
    } catch (error) {
      log(`alert action ${action}: ${(error as Error).message}`)
      return `${action} failed: ${(error as Error).message}`
    }
  }

  /** One way that does not work does not keep others from being told. */
  async #tell(news: AlertNews): Promise<void> {
    const { notifiers, log } = this.#options
    await Promise.all(
      notifiers.map((notifier) =>
        notifier.tell(news).catch((error: Error) => log(`alert not told by ${notifier.name}: ${error.message}`)),
      ),
    )
  }

  async #setSilence(id: string, until: number): Promise<Alert | undefined> {
    const entry = this.#entries.get(id)
    if (!entry) return undefined
    await this.#options.silences.set(id, until)
    return this.#shown(entry, await this.#silences())
  }

  #shown({ rule, state, done }: Entry, silences: ReadonlyMap<string, number>): Alert {
    const until = silences.get(rule.id) ?? 0
    const { id, title, severity, threshold, action, advice } = rule
    return {
      ...{ id, title, severity, state: state.state, since: state.since, value: state.value, threshold, detail: advice },
      action: done || actionWords[action],
      silencedUntil: until > this.#options.clock.now() ? until : null,
    }
  }
}

const actionWords: Readonly<Record<ActionName, string>> = {
  'scale-up': 'Starts more workers, where a pool is configured.',
  'fewer-links': 'Takes fewer links from each page, and all of them again when it is over.',
  'rebuild-filter': 'Lets workers make their filters of known URLs anew.',
  'check-network': 'Checks names, network and engines, and says which fail.',
  none: '',
}

/** For one process alone. */
export function silencesInMemory(): Silences {
  const until = new Map<string, number>()
  return {
    all: async () => until,
    async set(rule, moment) {
      if (moment > 0) until.set(rule, moment)
      else until.delete(rule)
    },
  }
}

/** The rules as the settings want them. */
export function configuredRules(
  rules: readonly Rule[],
  { off, thresholds, forMs }: Pick<AlertsConfig, 'off' | 'thresholds' | 'forMs'>,
): Rule[] {
  const names = rules.map(({ id }) => id)
  for (const name of [...off, ...Object.keys(thresholds), ...Object.keys(forMs)])
    if (!names.includes(name))
      throw new UsageError(`There is no alert rule "${name}".${nearest(name, names)} docs/monitoring.md lists them.`)
  return rules
    .filter(({ id }) => !off.includes(id))
    .map((rule) => ({ ...withThreshold(rule, thresholds[rule.id]), forMs: forMs[rule.id] ?? rule.forMs }))
}

function withThreshold(rule: Rule, threshold = rule.threshold): Rule {
  const clearsAt = rule.threshold === 0 ? threshold : (threshold * rule.clearsAt) / rule.threshold
  return { ...rule, threshold, clearsAt }
}
