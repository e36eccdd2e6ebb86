import type { Clock } from '../clock.ts'
import type { WidenedHosts } from '../worker/moved-seeds.ts'
import type { CrawlFacts } from './registry/crawl-facts.ts'

const list = 'scope.widened'

export interface FleetWidenedHosts extends WidenedHosts {
  /** Asks now whether others have added hosts. */
  refresh(): Promise<void>
}

/** Hosts that any worker has taken into the crawl's scope; looked for every second until `ended`. */
export async function fleetWidenedHosts(
  facts: CrawlFacts,
  clock: Clock,
  ended: AbortSignal,
  fail: (error: unknown) => void,
): Promise<FleetWidenedHosts> {
  const hosts: string[] = []
  const listeners: ((host: string) => void)[] = []

  async function refresh(): Promise<void> {
    for (const host of await facts.list(list, hosts.length)) {
      if (hosts.includes(host)) continue
      hosts.push(host)
      for (const widen of listeners) widen(host)
    }
  }

  async function keepLooking(): Promise<void> {
    while (!ended.aborted) {
      await clock.sleep(lookEveryMs, ended)
      if (!ended.aborted) await refresh()
    }
  }

  await refresh()
  keepLooking().catch(fail)
  return {
    refresh,
    each(widen) {
      listeners.push(widen)
      for (const host of hosts) widen(host)
    },
    async add(host) {
      await facts.append(list, host)
      await refresh()
    },
  }
}

const lookEveryMs = 1000
