import type { Host } from './host.ts'

/** Hosts by the names that lead to them: their own and, where the name server answers to anything below it, those too. */
export class HostNames {
  readonly #hosts = new Map<string, Host>()

  add(host: Host): void {
    this.#hosts.set(host.name, host)
  }

  get(name: string): Host | undefined {
    const own = this.#hosts.get(name)
    if (own) return own
    const above = this.#hosts.get(name.slice(name.indexOf('.') + 1))
    return above?.wildcard ? above : undefined
  }
}
