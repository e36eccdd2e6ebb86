import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** What befalls a request on its way to the engine: cut before it arrives, or done and its answer lost, or an answer. */
export type Fault = 'cut' | 'lost' | { readonly status: number; readonly body: object }

export interface FaultProxy extends AsyncDisposable {
  readonly url: string
  /** Method and path of all that came. */
  readonly seen: string[]
  /** Bytes of all bodies that came. */
  sentBytes: number
  /** Decides about each request; `undefined`: it passes. */
  fault: (line: string, body: Buffer) => Fault | undefined
}

/** Stands between a client and the real engine. */
export async function openFaultProxy(target: string): Promise<FaultProxy> {
  const server = createServer((incoming, outgoing) => void handle(incoming, outgoing))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))

  async function handle(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const body = Buffer.concat(await Array.fromAsync(incoming as AsyncIterable<Buffer>))
    const line = `${incoming.method} ${incoming.url}`
    proxy.seen.push(line)
    proxy.sentBytes += body.length
    const fault = proxy.fault(line, body)
    if (fault === 'cut') incoming.socket.destroy()
    else if (typeof fault === 'object') outgoing.writeHead(fault.status).end(JSON.stringify(fault.body))
    else pass(incoming, body, outgoing, fault === 'lost')
  }

  function pass(incoming: IncomingMessage, body: Buffer, outgoing: ServerResponse, isLost: boolean): void {
    const { method, headers } = incoming
    const forwarded = request(new URL(incoming.url!, target), { method: method!, headers }, (answer) => {
      if (!isLost) return void answer.pipe(outgoing.writeHead(answer.statusCode!, answer.headers))
      answer.resume().on('end', () => incoming.socket.destroy())
    })
    forwarded.on('error', () => incoming.socket.destroy())
    forwarded.end(body)
  }

  const proxy: FaultProxy = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    seen: [],
    sentBytes: 0,
    fault: () => undefined,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
  return proxy
}
