import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { hostName } from './hosts.ts'
import type { Visits } from './visits.ts'

/** Lets another process read what was asked of the site, and begin to count anew. */
export interface Control extends AsyncDisposable {
  readonly url: string
}

export async function startControl(visits: Visits): Promise<Control> {
  const views: Readonly<Record<string, () => unknown>> = {
    'GET /counts': () => visits.counts(),
    'GET /hosts': () => visits.paces(hostName),
    'GET /cpu': () => process.cpuUsage(),
    'POST /reset': () => {
      visits.reset()
      return {}
    },
  }
  const server = createServer((request, reply) => {
    const view = views[`${request.method} ${request.url}`]
    reply.writeHead(view ? 200 : 404, { 'content-type': 'application/json' })
    reply.end(JSON.stringify(view ? view() : { views: Object.keys(views) }))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
