import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { alertRules } from '../alert-rules.ts'
import type { AlertNews } from './news.ts'

export const failing: AlertNews = {
  ...{ kind: 'firing', rule: alertRules.find(({ id }) => id === 'fetch-failing')!, value: 0.61234 },
  ...{ since: 1_700_000_000_000, at: 1_700_000_060_000, done: 'Names: <b>no answer</b>.' },
}

/** Takes letters, and answers as it is told. */
export async function startMailbox(status = 200) {
  const letters: { path: string; headers: IncomingHttpHeaders; body: string }[] = []
  const server = createServer(async (request, response) => {
    letters.push({ path: request.url!, headers: request.headers, body: await text(request) })
    response.writeHead(status, { location: 'http://127.0.0.1:1/' }).end('{}')
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    letters,
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
