import { randomBytes } from 'node:crypto'
import { hostname } from 'node:os'
import { loadConfig } from '../../config/load.ts'
import type { Command, Invocation } from '../command.ts'
import { sourcesOf } from '../crawl-settings.ts'
import { leavingOnSignals } from '../leaving.ts'
import { logTo } from '../log.ts'

export const serve: Command = {
  name: 'serve',
  usage: '--config FILE',
  summary: 'looks after a fleet: finishes what dead workers left, heals what engines forgot, ends crawls',
  details: `
Keeps nothing of its own. Several may run: one leads, another takes over within 10 s when that one falls silent.

  orbweaver serve --config fleet.yaml`,
  flags: { id: { type: 'string', value: 'NAME', help: 'its name, unique in the fleet (made up)' } },
  async run(invocation) {
    const { config } = loadConfig(sourcesOf(invocation))
    const id = String(invocation.given.id ?? `${hostname().slice(0, 30)}-${randomBytes(4).toString('hex')}`)
    const log = logTo(invocation)
    const { connectFleet } = await import('../../fleet/fleet.ts')
    const { orchestrate } = await import('../../fleet/orchestrator.ts')
    await using fleet = await connectFleet(config)
    using leaving = leavingOnSignals(log, () => process.exit(1))
    log(`${id} looks after the fleet, or waits until it is needed. Ctrl-C stops it.`)
    const workerCommand = workerCommandOf(invocation)
    await orchestrate({ fleet, id, config: config.orchestrator, workerCommand, log }, leaving.signal)
    return 0
  },
}

/** The same program with the same settings. */
function workerCommandOf({ given }: Invocation): readonly [string, ...string[]] {
  const settings = given.config === undefined ? [] : ['--config', String(given.config)]
  return [process.execPath, ...process.execArgv, process.argv[1]!, 'worker', ...settings]
}
