import { createServer } from 'node:net'

/**
 * Below the range from which systems give ports to outgoing connections: nobody takes the port by accident before the
 * engine has it, nor while an engine is down that will come back on the same port.
 */
const firstPort = 15_000
const portCount = 17_000

const handedOut = new Set<number>()

/** Ports on which nobody listens at 127.0.0.1, each given once in this process. */
export async function freePorts(count: number, random: () => number = Math.random): Promise<number[]> {
  const ports: number[] = []
  for (let tries = 0; ports.length < count; tries++) {
    if (tries > 1000) throw new Error('no free port found on 127.0.0.1')
    const port = firstPort + Math.floor(random() * portCount)
    if (handedOut.has(port) || !(await isFree(port))) continue
    handedOut.add(port)
    ports.push(port)
  }
  return ports
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer()
    server.once('error', () => resolve(false))
    server.listen({ port, host: '127.0.0.1', exclusive: true }, () => server.close(() => resolve(true)))
  })
}
