import { connect, type Socket } from 'node:net'

/** Many who follow the live events of a server, on bare sockets: they are to cost less than what they watch. */
export class Viewers implements Disposable {
  readonly #sockets: Socket[] = []
  /** Since the last look. */
  events = 0
  bytes = 0
  /** Connections that the server ended. */
  lost = 0

  /** Resolves when all of them have got their first event. */
  async join(server: string, count: number): Promise<void> {
    for (let n = 0; n < count; n += atOnce)
      await Promise.all(Array.from({ length: Math.min(atOnce, count - n) }, () => this.#join(server)))
  }

  #join(server: string): Promise<void> {
    const { hostname, port, host } = new URL(server)
    const socket = connect(Number(port), hostname)
    this.#sockets.push(socket)
    socket.write(`GET /v1/events HTTP/1.1\r\nHost: ${host}\r\n\r\n`)
    return new Promise((resolve, reject) => {
      socket.on('data', (chunk) => {
        this.bytes += chunk.length
        if (!chunk.includes('event: snapshot')) return
        this.events++
        resolve()
      })
      socket.on('error', reject)
      socket.on('close', () => {
        this.lost++
      })
    })
  }

  [Symbol.dispose](): void {
    for (const socket of this.#sockets.splice(0)) socket.removeAllListeners('close').destroy()
  }
}

const atOnce = 100
