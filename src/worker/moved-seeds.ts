import type { Facts } from '../store/facts.ts'
import { type CanonicalUrl, hostOf } from '../url/keys.ts'
import type { Scope } from '../url/scope.ts'

const fact = 'scope.widened'

/**
 * A seed that redirects to another host (`example.com` → `www.example.com`) means that host: the scope takes it in, now
 * and when the crawl is resumed. Answers what to do with such a target.
 */
export function followMovedSeeds(
  scope: Scope,
  facts: Facts,
  widen = (host: string) => scope.widen(host),
): (target: CanonicalUrl) => void {
  const hosts: string[] = JSON.parse(facts.get(fact) ?? '[]')
  for (const host of hosts) widen(host)
  return (target) => {
    if (scope.judge(target)?.reason !== 'out-of-scope') return
    hosts.push(hostOf(target))
    facts.set(fact, JSON.stringify(hosts))
    widen(hostOf(target))
  }
}
