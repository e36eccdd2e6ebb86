import { once } from 'node:events'
import { createServer, type Server as HttpServer } from 'node:http'
import { createSecureServer, type Http2SecureServer } from 'node:http2'
import { type AddressInfo, createServer as createTcpServer, type Server, type Socket } from 'node:net'
import type { SecureContext } from 'node:tls'
import type { Scheme } from './answer.ts'
import type { ServerReply, ServerRequest } from './respond.ts'

export interface ListenersOptions {
  readonly handle: (scheme: Scheme, request: ServerRequest, reply: ServerReply) => void
  readonly contextOf: (serverName: string) => SecureContext
  readonly http1Only: (serverName: string) => boolean
}

/** One HTTP and one HTTPS server behind as many listening addresses as there are hosts. */
export interface Listeners extends AsyncDisposable {
  /** Opens a port on every address; 0 takes one that is free on the first, and so on all. Answers the port. */
  open(scheme: Scheme, addresses: readonly string[], port: number): Promise<number>
}

export function listeners(options: ListenersOptions): Listeners {
  const engines: Record<Scheme, HttpServer | Http2SecureServer> = {
    http: createServer((request, reply) => options.handle('http', request, reply)),
    https: secureServer(options),
  }
  const doors: Server[] = []
  const sockets = new Set<Socket>()

  async function listen(scheme: Scheme, address: string, port: number): Promise<number> {
    const door = createTcpServer((socket) => {
      sockets.add(socket)
      socket.once('close', () => sockets.delete(socket))
      // A client may vanish at any moment; what it sent is in the log.
      socket.on('error', () => socket.destroy())
      engines[scheme].emit('connection', socket)
    })
    door.listen({ host: address, port, backlog: 1024 })
    await once(door, 'listening')
    doors.push(door)
    return (door.address() as AddressInfo).port
  }

  return {
    async open(scheme, [first, ...rest], port) {
      if (first === undefined) return port
      const chosen = await listen(scheme, first, port)
      await Promise.all(rest.map((address) => listen(scheme, address, chosen)))
      return chosen
    },
    async [Symbol.asyncDispose]() {
      const closing = doors.map((door) => new Promise((resolve) => door.close(resolve)))
      for (const socket of sockets) socket.destroy()
      await Promise.all(closing)
    },
  }
}

function secureServer({ handle, contextOf, http1Only }: ListenersOptions): Http2SecureServer {
  const server = createSecureServer(
    {
      allowHTTP1: true,
      SNICallback: (name, answer) => answer(null, contextOf(name)),
      ALPNCallback: ({ servername, protocols }) => {
        const known = http1Only(servername) ? ['http/1.1'] : ['h2', 'http/1.1']
        return known.find((protocol) => protocols.includes(protocol))
      },
    },
    (request, reply) => handle('https', request, reply),
  )
  // Clients that refuse a bad certificate end here; that is what those hosts are for.
  server.on('tlsClientError', (_, socket) => socket.destroy())
  server.on('sessionError', () => undefined)
  return server
}

/** Linux has all of 127.0.0.0/8; elsewhere the hosts share one address and are told apart by name. */
export async function hasManyLoopbackAddresses(): Promise<boolean> {
  const probe = createTcpServer()
  return new Promise((resolve) => {
    probe.once('error', () => resolve(false))
    probe.listen(0, '127.0.0.2', () => probe.close(() => resolve(true)))
  })
}
