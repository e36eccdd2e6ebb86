import type { Socket } from 'node:net'
import { Flow } from './flow.ts'
import type { NetworkFault } from './network-fault.ts'

/** One connection through the proxy: the client's, and ours to the engine. */
export class Link {
  readonly #client: Socket
  readonly #engine: Socket
  readonly #requests: Flow
  readonly #answers: Flow
  #fault: NetworkFault = { kind: 'pass' }
  #hasLost = false

  /** `chance` answers whether something that happens to so large a share happens now. */
  constructor(client: Socket, engine: Socket, chance: (share: number) => boolean) {
    this.#client = client
    this.#engine = engine
    this.#requests = new Flow(client, engine)
    this.#answers = new Flow(engine, client, () => this.#loses(chance))
    for (const socket of [client, engine]) {
      socket.setNoDelay(true)
      // What went wrong on one side is told to the other by the end of its connection, as a network does.
      socket.on('error', () => this.cut())
      socket.on('close', () => this.#closed(socket))
    }
  }

  apply(fault: NetworkFault): void {
    this.#fault = fault
    // Without the answer that is missing, later ones would be taken for it.
    if (this.#hasLost && fault.kind !== 'swallow') this.cut()
    for (const flow of [this.#requests, this.#answers]) {
      flow.delayMs = fault.kind === 'delay' ? fault.delayMs : 0
      flow.hold(fault.kind === 'hang')
    }
  }

  cut(): void {
    this.#requests.stop()
    this.#answers.stop()
    this.#client.resetAndDestroy()
    this.#engine.resetAndDestroy()
  }

  onClose(act: () => void): void {
    this.#client.once('close', act)
  }

  #loses(chance: (share: number) => boolean): boolean {
    const fault = this.#fault
    if (fault.kind === 'swallow') this.#hasLost = true
    const isCut = fault.kind === 'lossy' && chance(fault.share)
    if (isCut) this.cut()
    return isCut || fault.kind === 'swallow'
  }

  #closed(socket: Socket): void {
    const other = socket === this.#client ? this.#engine : this.#client
    if (socket === this.#client || this.#fault.kind === 'swallow') other.destroy()
  }
}
