import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A server on loopback that answers with JSON. */
export interface JsonViews extends AsyncDisposable {
  /** `http://127.0.0.1:PORT` */
  readonly url: string
}

/** `view` answers what a request asks for; `undefined`: there is no such thing, and `names` tells what there is. */
export async function serveViews(
  names: readonly string[],
  view: (request: IncomingMessage) => unknown,
): Promise<JsonViews> {
  const server = createServer((request, reply) => {
    const value = view(request)
    reply.writeHead(value === undefined ? 404 : 200, { 'content-type': 'application/json' })
    reply.end(JSON.stringify(value ?? { views: names }))
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
