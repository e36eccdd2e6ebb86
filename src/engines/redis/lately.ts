import type { Clock } from '../../clock.ts'

/** More than an engine forgets: a second or two of its log, or what a replica lagged behind. */
const rememberedMs = 10_000
/** A script that is told of more at once would keep others waiting. */
const toldAtOnce = 100

/** What an engine was told last, so that another can be reminded of it. While nothing is told nothing is forgotten. */
export class Lately<Item> {
  readonly #clock: Clock
  #told: { readonly item: Item; readonly at: number }[] = []

  constructor(clock: Clock) {
    this.#clock = clock
  }

  add(items: readonly Item[]): void {
    const at = this.#clock.now()
    const young = this.#told.findIndex((one) => one.at > at - rememberedMs)
    if (young === -1) this.#told = []
    else if (young > this.#told.length / 2) this.#told.splice(0, young)
    for (const item of items) this.#told.push({ item, at })
  }

  /** In order, some at a time, as it is when this is called. */
  *groups(): Iterable<readonly Item[]> {
    const items = this.#told.map(({ item }) => item)
    for (let at = 0; at < items.length; at += toldAtOnce) yield items.slice(at, at + toldAtOnce)
  }
}
