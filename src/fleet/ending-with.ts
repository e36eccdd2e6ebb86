import type { Frontier } from '../frontier/frontier.ts'
import type { Stream } from '../stream/stream.ts'

/**
 * A frontier that is not finished while pages are on their way to be parsed: links may come of them. Nothing may have been
 * put on the way between the two looks, since what is put is settled afterwards and offers its links before it leaves.
 */
export function endingWith(stream: Pick<Stream, 'lag'>, frontier: Frontier): Frontier {
  return {
    offer: (candidates) => frontier.offer(candidates),
    lease: (maxHosts, maxUrls) => frontier.lease(maxHosts, maxUrls),
    renew: (lease, maxUrls) => frontier.renew(lease, maxUrls),
    hasNews: (lease) => frontier.hasNews?.(lease) ?? true,
    settle: (lease, visits, hold) => frontier.settle(lease, visits, hold),
    release: (lease, report, orGoOnWith) => frontier.release(lease, report, orGoOnWith),
    abandon: (patienceMs) => frontier.abandon(patienceMs),
    revisit: (candidates) => frontier.revisit(candidates),
    revisiting: () => frontier.revisiting(),
    counts: () => frontier.counts(),
    sums: () => frontier.sums(),
    add: (adds) => frontier.add(adds),
    underWay: async () => (await frontier.underWay()) + (await stream.lag()).waiting,
    async finished() {
      const before = await stream.lag()
      if (before.waiting > 0 || !(await frontier.finished())) return false
      const after = await stream.lag()
      return after.waiting === 0 && after.put === before.put
    },
    sync: () => frontier.sync(),
    [Symbol.asyncDispose]: () => frontier[Symbol.asyncDispose](),
  }
}
