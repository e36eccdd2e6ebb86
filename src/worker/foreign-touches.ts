import type { Clock } from '../clock.ts'
import type { HostKey } from '../url/keys.ts'

const maxHosts = 10_000

/**
 * Paces requests to hosts whose lease the session does not hold: a robots.txt that redirects to another host leads
 * there at once, and many may lead to the same. One request each gap, over all sessions.
 */
export class ForeignTouches {
  readonly #clock: Clock
  readonly #nextAt = new Map<HostKey, number>()

  constructor(clock: Clock) {
    this.#clock = clock
  }

  async turn(host: HostKey, gapMs: number, signal: AbortSignal): Promise<void> {
    const now = this.#clock.now()
    const at = Math.max(now, this.#nextAt.get(host) ?? 0)
    if (this.#nextAt.size >= maxHosts) this.#forgetPast(now)
    this.#nextAt.set(host, at + gapMs)
    await this.#clock.sleep(at - now, signal)
  }

  #forgetPast(now: number): void {
    for (const [host, at] of this.#nextAt) if (at <= now) this.#nextAt.delete(host)
  }
}
