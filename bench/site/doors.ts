import { once } from 'node:events'
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net'
import { createServer as createSecureServer } from 'node:tls'
import type { Authority } from '../../test/web/tls/authority.ts'
import { hostName } from './hosts.ts'

export interface Doors extends AsyncDisposable {
  readonly port: number
}

/** Listens on one port of all addresses; with an authority, for TLS. */
export async function openDoors(
  addresses: readonly string[],
  answer: (socket: Socket) => void,
  authority: Authority | undefined,
): Promise<Doors> {
  await using stack = new AsyncDisposableStack()
  const sockets = new Set<Socket>()
  const welcome = (socket: Socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
    answer(socket)
  }
  let port = 0
  for (const address of addresses) {
    const door = authority ? secureDoor(authority, welcome) : createServer(welcome)
    door.listen({ host: address, port, backlog: 4096 })
    await once(door, 'listening')
    port = (door.address() as AddressInfo).port
    stack.defer(() => new Promise((resolve) => door.close(() => resolve())))
  }
  // Closing waits for connections, so they end first.
  stack.defer(() => {
    for (const socket of sockets) socket.destroy()
  })
  const closing = stack.move()
  return { port, [Symbol.asyncDispose]: () => closing.disposeAsync() }
}

function secureDoor(authority: Authority, welcome: (socket: Socket) => void): Server {
  const door = createSecureServer(
    {
      ALPNProtocols: ['http/1.1'],
      SNICallback: (name, answer) => answer(null, authority.contextOf(name || hostName(0), 'good')),
    },
    welcome,
  )
  // A client that refuses the certificate, or leaves, ends here.
  door.on('tlsClientError', (_, socket) => socket.destroy())
  return door
}
