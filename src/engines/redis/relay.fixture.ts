import type { AddressInfo } from 'node:net'
import { connect, createServer, type Socket } from 'node:net'

/** Stands between a client and Redis, and breaks connections as a network does. */
export interface Relay extends AsyncDisposable {
  readonly url: string
  /** Answers from now on are swallowed; the engine still acts. */
  deafen(): void
  /** Answers from now on wait until it is let go. */
  hold(): void
  letGo(): void
  /** Cuts every connection, and hears again. */
  cut(): void
}

export async function relayTo(url: string): Promise<Relay> {
  const { hostname, port } = new URL(url)
  const sockets = new Set<Socket>()
  let deaf = false
  let held: (() => void)[] | undefined
  const server = createServer((inner) => {
    const outer = connect(Number(port), hostname)
    for (const socket of [inner, outer]) {
      sockets.add(socket)
      // The other end went: that is what a relay is for.
      socket.on('error', () => socket.destroy())
      socket.on('close', () => {
        sockets.delete(socket)
        inner.destroy()
        outer.destroy()
      })
    }
    inner.on('data', (bytes) => outer.write(bytes))
    outer.on('data', (bytes) => {
      if (held) held.push(() => inner.write(bytes))
      else if (!deaf) inner.write(bytes)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `redis://127.0.0.1:${(server.address() as AddressInfo).port}`,
    deafen() {
      deaf = true
    },
    hold() {
      held = []
    },
    letGo() {
      for (const answer of held ?? []) answer()
      held = undefined
    },
    cut() {
      for (const socket of sockets) socket.destroy()
      deaf = false
    },
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
