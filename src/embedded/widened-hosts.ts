import type { Facts } from '../store/facts.ts'
import type { WidenedHosts } from '../worker/moved-seeds.ts'

const fact = 'scope.widened'

/** In the crawl's own database: safe with the group of writes in which the seed was visited. */
export function embeddedWidenedHosts(facts: Facts): WidenedHosts {
  const hosts: string[] = JSON.parse(facts.get(fact) ?? '[]')
  const listeners: ((host: string) => void)[] = []
  return {
    each(widen) {
      listeners.push(widen)
      for (const host of hosts) widen(host)
    },
    async add(host) {
      hosts.push(host)
      facts.set(fact, JSON.stringify(hosts))
      for (const widen of listeners) widen(host)
    },
  }
}
