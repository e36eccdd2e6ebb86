import { sharedEngines, withRedis } from '../../../../test/fleet/fleet-of-web.ts'
import { loadConfig } from '../../../config/load.ts'
import { connectFleet } from '../../../fleet/fleet.ts'
import { FleetWorker } from '../../../fleet/fleet-worker.ts'
import { orchestrate } from '../../../fleet/orchestrator.ts'
import type { Operations } from '../../operations.ts'
import { fleetOperations } from './fleet-operations.ts'
import { createTestBucket } from './test-bucket.ts'

/** Operations over a fleet of two workers inside this process, on the engines that all tests share. */
export async function openTestFleet(): Promise<Operations> {
  const { config } = loadConfig({ overrides: sharedEngines(withRedis) })
  await createTestBucket(config)
  await using stack = new AsyncDisposableStack()
  const fleet = stack.use(await connectFleet(config))
  const log = () => {}
  const leaving = new AbortController()
  const workers = ['one', 'two'].map((id) =>
    new FleetWorker({
      ...{ fleet, id, region: 'default', role: 'all', crawl: undefined, threads: 0, concurrency: null, log },
    }).run(leaving.signal),
  )
  const leading = orchestrate({ fleet, config, id: 'serve', log }, leaving.signal)
  stack.defer(async () => {
    leaving.abort()
    await Promise.all([...workers, leading])
  })
  const operations = stack.use(await fleetOperations(fleet, log))
  const opened = stack.move()
  return { ...operations, [Symbol.asyncDispose]: () => opened.disposeAsync() }
}
