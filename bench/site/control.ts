import { type JsonViews, serveViews } from '../../test/web/json-views.ts'
import { hostName } from './hosts.ts'
import type { Visits } from './visits.ts'

/** Lets another process read what was asked of the site, and begin to count anew. */
export function startControl(visits: Visits): Promise<JsonViews> {
  const views: Readonly<Record<string, () => unknown>> = {
    'GET /counts': () => visits.counts(),
    'GET /hosts': () => visits.paces(hostName),
    'GET /cpu': () => process.cpuUsage(),
    'POST /reset': () => {
      visits.reset()
      return {}
    },
  }
  return serveViews(Object.keys(views), ({ method, url }) => views[`${method} ${url}`]?.())
}
