import { randomBytes } from 'node:crypto'
import { hostname } from 'node:os'
import { loadConfig } from '../../config/load.ts'
import type { Config } from '../../config/schema.ts'
import { isFleet } from '../../engines/is-fleet.ts'
import type { LeaderTerm } from '../../fleet/registry/leader.ts'
import { Urges } from '../../orchestrator/urges.ts'
import { type Command, type Invocation, overridesFrom } from '../command.ts'
import { sourcesOf } from '../crawl-settings.ts'
import { leavingOnSignals } from '../leaving.ts'
import { logTo } from '../log.ts'
import { monitorFlags } from '../monitor-flags.ts'
import { serverFlags } from '../server-flags.ts'

export const serve: Command = {
  name: 'serve',
  usage: '--config FILE | --out DIR',
  summary: 'dashboard and API, of a fleet or of crawls in a folder; looks after the fleet',
  isLocal: true,
  details: `
With settings that name a fleet's engines: finishes what dead workers left, heals what engines forgot, ends crawls. Keeps
nothing of its own. Several may run: one leads, another takes over within 10 s when that one falls silent. Without: shows
the crawl in the folder, or, where there is none yet, runs crawls that are started from the dashboard, each in a folder
inside. On another address than loopback it does not start without tokens.

  orbweaver serve --out example
  orbweaver serve --config fleet.yaml
  orbweaver serve --config fleet.yaml --listen 0.0.0.0:7070 --token-file tokens`,
  flags: {
    id: { type: 'string', value: 'NAME', help: 'its name, unique in the fleet (made up)' },
    ...serverFlags,
    ...monitorFlags,
  },
  async run(invocation) {
    const overrides = overridesFrom(serve.flags, invocation.given)
    const { config } = loadConfig({ ...sourcesOf(invocation), overrides })
    return isFleet(config.engines) ? serveFleet(config, invocation) : serveFolder(config, invocation)
  },
}

async function serveFolder(config: Config, invocation: Invocation): Promise<number> {
  const log = logTo(invocation)
  const { serveCrawl } = await import('../serve-operations.ts')
  const { operationsIn } = await import('../../orchestrator/adapters/embedded/folder-operations.ts')
  using leaving = leavingOnSignals(log, () => process.exit(1))
  await using _server = await serveCrawl(
    (measured) => operationsIn(invocation.out, measured),
    config,
    log,
    invocation.out,
  )
  log('Ctrl-C stops it.')
  await new Promise<void>((resolve) => leaving.signal.addEventListener('abort', () => resolve()))
  return 0
}

async function serveFleet(config: Config, invocation: Invocation): Promise<number> {
  const id = String(invocation.given.id ?? `${hostname().slice(0, 30)}-${randomBytes(4).toString('hex')}`)
  const { connectFleet } = await import('../../fleet/fleet.ts')
  const { orchestrate } = await import('../../fleet/orchestrator.ts')
  const { fleetOperations, fleetAudit } = await import('../../orchestrator/adapters/fleet/fleet-operations.ts')
  const { sharedSilences } = await import('../../fleet/shared/alert-silences.ts')
  const { readScaling } = await import('../../fleet/scaling-task.ts')
  const { openMonitoring } = await import('../../monitor/open-monitoring.ts')
  const { openMetrics } = await import('../../monitor/metrics.ts')
  const { serveOperations } = await import('../serve-operations.ts')
  await using fleet = await connectFleet(config, 'stay')
  await using monitoring = await openMonitoring({
    ...{ config: config.monitor, service: 'serve', instance: id, clock: fleet.clock, log: logTo(invocation) },
  })
  const { log } = monitoring
  using leaving = leavingOnSignals(log, () => process.exit(1))
  await using operations = await fleetOperations(fleet, log)
  using metrics = openMetrics(fleet.clock)
  const urges = new Urges()
  let term: LeaderTerm | undefined
  await using _server = await serveOperations({
    ...{ operations, config, log, metrics, silences: sharedSilences(fleet), audit: fleetAudit(fleet, config) },
    scaling: () => readScaling(fleet),
    leads: () => term?.leads() ?? false,
    ...(config.orchestrator.scaling.pool !== 'none' && { urgeWorkers: () => urges.add(1) }),
  })
  log(`${id} looks after the fleet, or waits until it is needed. Ctrl-C stops it.`)
  await orchestrate(
    { fleet, config, id, urges, log, workerCommand: workerCommandOf(invocation), onTerm: (begun) => (term = begun) },
    leaving.signal,
  )
  log(`${id} has left.`)
  return 0
}

/** The same program with the same settings. */
function workerCommandOf({ given }: Invocation): readonly [string, ...string[]] {
  const settings = given.config === undefined ? [] : ['--config', String(given.config)]
  return [process.execPath, ...process.execArgv, process.argv[1]!, 'worker', ...settings]
}
