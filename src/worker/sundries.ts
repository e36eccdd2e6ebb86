import type { Sums } from '../frontier/frontier.ts'
import { type Counters, count } from '../reading/counters.ts'

/** Counts that belong to no visit, such as requests for robots.txt: they wait for the next settlement to take them along. */
export class Sundries {
  #waiting: Counters = {}
  #any = false

  add(name: string, times = 1): void {
    count(this.#waiting, name, times)
    this.#any = true
  }

  takeWith(adds: Sums | undefined): Sums {
    if (!this.#any) return adds ?? {}
    const taken = this.#waiting
    this.#waiting = {}
    this.#any = false
    for (const name in adds) count(taken, name, adds[name]!)
    return taken
  }
}
