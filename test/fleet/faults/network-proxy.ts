import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Server } from 'node:net'
import { random } from '../../web/random.ts'
import { Link } from './link.ts'
import type { NetworkFault } from './network-fault.ts'

export interface NetworkProxyOptions {
  /** `host:port` of the engine. */
  readonly target: string
  /** Decides which answers are lost: the same seed, the same losses in the same order. */
  readonly seed?: number
}

/**
 * Stands before an engine, as a network that can fail. Knows nothing of what is said, so it serves every engine whose
 * clients stay at the address they were given (not a Redis Cluster or Kafka, which name their nodes themselves, unless
 * those are told to announce the proxy).
 */
export class NetworkProxy implements AsyncDisposable {
  readonly #server: Server
  readonly #target: { readonly host: string; readonly port: number }
  readonly #links = new Set<Link>()
  readonly #stranded = new Set<Link>()
  readonly #chance: (share: number) => boolean
  #fault: NetworkFault = { kind: 'pass' }
  #accepted = 0

  private constructor({ target, seed = 0 }: NetworkProxyOptions) {
    const { hostname, port } = new URL(`tcp://${target}`)
    this.#target = { host: hostname, port: Number(port) }
    const losses = random('losses', seed)
    this.#chance = (share) => losses.chance(share)
    this.#server = createServer({ allowHalfOpen: true, pauseOnConnect: false }, (client) => {
      this.#accepted++
      if (this.#fault.kind === 'refuse') return client.resetAndDestroy()
      const link = new Link(client, connect({ ...this.#target, allowHalfOpen: true }), this.#chance)
      this.#links.add(link)
      link.onClose(() => this.#links.delete(link))
      link.apply(this.#fault)
    })
  }

  static async start(options: NetworkProxyOptions): Promise<NetworkProxy> {
    const proxy = new NetworkProxy(options)
    proxy.#server.listen(0, '127.0.0.1')
    await once(proxy.#server, 'listening')
    return proxy
  }

  /** `host:port` for clients. */
  get address(): string {
    return `127.0.0.1:${(this.#server.address() as AddressInfo).port}`
  }

  /** Connections that stand now, and those that were ever made. */
  get connections(): { readonly open: number; readonly accepted: number } {
    return { open: this.#links.size, accepted: this.#accepted }
  }

  /** From now on, also for connections that exist. */
  set(fault: NetworkFault): void {
    this.#fault = fault
    if (fault.kind === 'refuse') this.cut()
    else for (const link of this.#links) link.apply(fault)
  }

  /** Every connection breaks, once; new ones are served as before. */
  cut(): void {
    for (const link of this.#links) link.cut()
  }

  /** Nothing passes on the connections that stand, ever: the machine behind them is gone. New ones are served as before. */
  strand(): void {
    for (const link of this.#links) {
      link.apply({ kind: 'hang' })
      this.#stranded.add(link)
      link.onClose(() => this.#stranded.delete(link))
    }
    this.#links.clear()
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const link of this.#stranded) link.cut()
    this.cut()
    this.#server.close()
    await once(this.#server, 'close')
  }
}
