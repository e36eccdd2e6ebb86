import type { HostState, Hosts } from './hosts.ts'
import type { IdQueues } from './id-queues.ts'
import type { ReadyHosts } from './ready-hosts.ts'
import type { TimeHeap } from './time-heap.ts'
import type { UrlRows } from './url-rows.ts'

export interface GiveUpParts {
  readonly hosts: Hosts
  readonly queues: IdQueues
  readonly ready: ReadyHosts
  readonly rows: UrlRows
  /** Ids whose retry is put off. */
  readonly delayed: TimeHeap
  readonly end: (host: HostState, id: number, reason: string) => void
}

/** Gives up what cannot be due in time: of hosts that are held beyond the horizon, and retries. Answers how many. */
export function giveUpBeyond(horizon: number, now: number, parts: GiveUpParts): number {
  const { hosts, queues, ready, rows, delayed, end } = parts
  let abandoned = 0
  const giveUp = (host: HostState, id: number, reason: string) => {
    end(host, id, reason)
    hosts.changed(host)
    abandoned++
  }
  const isHeld = (host: HostState) => host.hold !== null && host.nextTouchAt > horizon
  for (const host of hosts.loaded()) {
    if (host.place !== 'waiting' || !isHeld(host)) continue
    for (let next = host.take(0, queues); next; next = host.take(0, queues)) giveUp(host, next.id, host.hold!)
    ready.place(host, now)
  }
  const kept: [number, number][] = []
  for (let id = delayed.popDue(Infinity); id !== undefined; id = delayed.popDue(Infinity)) {
    const { host, dueAt, reason } = rows.whereabouts(id)
    const owner = hosts.byId(host)
    if (dueAt > horizon || isHeld(owner)) giveUp(owner, id, reason ?? owner.hold!)
    else kept.push([dueAt, id])
  }
  for (const [dueAt, id] of kept) delayed.push(dueAt, id)
  return abandoned
}
