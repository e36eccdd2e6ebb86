import { loadConfig } from '../../../config/load.ts'
import { settings } from '../../../config/settings.ts'
import { Refusal } from '../../../orchestrator/refusal.ts'
import { version } from '../../../version.ts'
import { HttpProblem } from '../../problem.ts'
import { shown } from '../../secrets.ts'
import type { Desk, Handlers } from '../handler.ts'
import type { Alert } from '../schemas/alert.ts'
import type { Health } from '../schemas/health.ts'

type Names =
  | 'listWorkers'
  | 'getScaling'
  | 'listAlerts'
  | 'silenceAlert'
  | 'unsilenceAlert'
  | 'getOverview'
  | 'getConfiguration'
  | 'getSession'
  | 'listAudit'
  | 'getHealth'
  | 'getReadiness'

const stateRank = { firing: 0, pending: 1, ok: 2 } as const

export const overallHandlers: Handlers<Names> = {
  async listWorkers({ watch }) {
    await watch.fresh()
    return { workers: [...watch.workers()] }
  },
  async getScaling({ scaling }) {
    const report = await scaling()
    if (!report) throw new Refusal('not-found', 'Nobody leads a fleet here, so nobody has decided.')
    return { ...report, reasons: [...report.reasons] }
  },
  async listAlerts({ alerts }) {
    const all = await alerts.list()
    return { alerts: all.toSorted((a, b) => stateRank[a.state] - stateRank[b.state]) }
  },
  silenceAlert: async ({ alerts }, { params, body }) => known(params.alert, await alerts.silence(params.alert, body)),
  unsilenceAlert: async ({ alerts }, { params }) => known(params.alert, await alerts.unsilence(params.alert)),
  getOverview: ({ watch }) => watch.overview(),
  async getConfiguration({ config }) {
    return { settings: settingsOf(config) }
  },
  async getSession({ operations }, _input, { name, role }) {
    return { name, role, kind: operations.kind, version }
  },
  listAudit: async ({ audit }, { query }) => ({ entries: [...(await audit.latest(query.limit))] }),
  getHealth: async () => ({ status: 'ok', version, checks: [] }),
  async getReadiness({ operations }) {
    const checks = [...(await operations.checks())]
    const bad = checks.filter(({ ok }) => !ok)
    if (bad.length === 0) return { status: 'ok', version, checks } satisfies Health
    throw new HttpProblem(503, bad.map(({ what, says }) => `${what}: ${says}`).join(' '))
  },
}

function known(id: string, alert: Alert | undefined): Alert {
  if (!alert) throw new Refusal('not-found', `There is no alert rule "${id}".`)
  return alert
}

function settingsOf(config: Desk['config']) {
  const defaults = loadConfig().config
  return settings().map(({ name, description }) => {
    const value = valueAt(config, name)
    const isDefault = JSON.stringify(value) === JSON.stringify(valueAt(defaults, name))
    return { name, value: shown(name, value) ?? null, isDefault, help: description }
  })
}

function valueAt(tree: unknown, name: string): unknown {
  return name.split('.').reduce<unknown>((at, key) => (at as Record<string, unknown> | null)?.[key], tree)
}
