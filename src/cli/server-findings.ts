import { UsageError } from '../config/usage-error.ts'
import type { Client } from '../server/client.ts'
import { version } from '../version.ts'
import { bad, type Finding, ok, warn } from './finding.ts'

/** What an operator would want to know of a server: is it there, fit, of our version, and what may we do? */
export async function serverFindings(client: Client): Promise<Finding[]> {
  const { name, role, kind, version: its } = await client.getSession()
  const versions =
    its === version ? ok('version', its) : warn('version', `The server has ${its}, and this program ${version}.`)
  return [
    ok('server', `over a ${kind}`),
    versions,
    ok('role', `${role} (${name})`),
    ...(await readiness(client)),
    await alerts(client),
  ]
}

async function readiness(client: Client): Promise<Finding[]> {
  try {
    const { checks } = await client.getReadiness()
    return checks.map(({ what, says }) => ok(what, says))
  } catch (error) {
    if (!(error instanceof UsageError)) throw error
    return [bad('ready', error.message)]
  }
}

async function alerts(client: Client): Promise<Finding> {
  const firing = (await client.listAlerts()).alerts.filter(({ state }) => state === 'firing')
  if (firing.length === 0) return ok('alerts', 'none')
  return warn('alerts', firing.map(({ id }) => id).join(', '))
}
