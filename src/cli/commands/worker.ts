import { randomBytes } from 'node:crypto'
import { hostname } from 'node:os'
import { loadConfig } from '../../config/load.ts'
import { UsageError } from '../../config/usage-error.ts'
import type { Role } from '../../fleet/fleet-worker.ts'
import { type Command, type Invocation, overridesFrom } from '../command.ts'
import { sourcesOf } from '../crawl-settings.ts'
import { tellOfEngines } from '../engine-lines.ts'
import { leavingOnSignals } from '../leaving.ts'
import { logTo } from '../log.ts'
import { monitorFlags } from '../monitor-flags.ts'
import { readCount } from '../units.ts'

const roles = ['all', 'fetch', 'parse'] as const satisfies readonly Role[]

export const worker: Command = {
  name: 'worker',
  usage: '--config FILE [options]',
  summary: 'takes part in a fleet: works on every crawl that is running there',
  isLocal: true,
  details: `
The settings name the fleet's engines (docs/fleet.md). Workers keep nothing of their own and may come, go and die at any
moment. Ctrl-C ends the visits under way and hands back the rest; a second one leaves at once. \`--role fetch\` brings and
archives pages and leaves them to workers of \`--role parse\`; that needs Kafka.

  orbweaver worker --config fleet.yaml
  orbweaver worker --config fleet.yaml --role parse`,
  flags: {
    role: { type: 'string', value: roles.join('|'), help: 'what to do (all)' },
    id: { type: 'string', value: 'NAME', help: "the worker's name, unique in the fleet (made up)" },
    region: { type: 'string', value: 'NAME', help: 'where it runs, for people (default)' },
    concurrency: {
      type: 'string',
      value: 'N',
      help: 'requests at once over all hosts (as many as prove useful)',
      setting: 'worker.concurrency',
      read: readCount('concurrency'),
    },
    threads: {
      type: 'string',
      value: 'N',
      help: 'threads that fetch and parse beside the one that stores (one less than there are cores)',
      setting: 'worker.threads',
      read: readCount('threads'),
    },
    ...monitorFlags,
  },
  async run(invocation) {
    const { given } = invocation
    const role = readRole(invocation)
    const { config } = loadConfig({ ...sourcesOf(invocation), overrides: overridesFrom(worker.flags, given) })
    const id = String(given.id ?? `${hostname().slice(0, 30)}-${randomBytes(4).toString('hex')}`)
    // The clients of the engines are loaded only here: a crawl on one machine does without them.
    const { connectFleet } = await import('../../fleet/fleet.ts')
    const { FleetWorker } = await import('../../fleet/fleet-worker.ts')
    const { openMonitoring } = await import('../../monitor/open-monitoring.ts')
    await using fleet = await connectFleet(config, 'stay')
    const { clock } = fleet
    await using monitoring = await openMonitoring({
      ...{ config: config.monitor, service: 'worker', instance: id, clock, log: logTo(invocation) },
    })
    const { log } = monitoring
    if (role !== 'all' && !fleet.kafka)
      throw new UsageError(
        `--role ${role} needs Kafka between those who fetch and those who parse: set engines.kafka.brokers.`,
      )
    const { threads, concurrency } = config.worker
    const crawl = given.crawl as string | undefined
    const region = String(given.region ?? 'default')
    const member = new FleetWorker({ fleet, id, region, role, crawl, threads, concurrency, log })
    using _engines = tellOfEngines(log)
    // What was not safe yet is fetched again by others, as after any death: nothing is worth waiting for.
    using leaving = leavingOnSignals(log, () => process.exit(1))
    await member.run(leaving.signal)
    log(`Worker ${id} has left.`)
    return 0
  },
}

function readRole({ given }: Invocation): Role {
  const role = roles.find((known) => known === (given.role ?? 'all'))
  if (!role) throw new UsageError(`--role takes ${roles.join(', ')}, not "${given.role}".`)
  return role
}
