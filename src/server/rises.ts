/**
 * How much counters have grown over the last time. A counter belongs to a source; one that falls (a crawl that begins
 * anew) counts from there, and what a source had counted before it was first seen is no growth.
 */
export class Rises<Name extends string> {
  readonly #keptMs: number
  /** What each source said last, by name. */
  readonly #sources = new Map<string, Map<Name, number>>()
  /** Sources of which nothing was known before the present look. */
  readonly #fresh = new Set<string>()
  readonly #totals = new Map<Name, number>()
  #marks: { readonly at: number; readonly totals: ReadonlyMap<Name, number> }[] = []

  constructor(keptMs: number) {
    this.#keptMs = keptMs
  }

  see(source: string, name: Name, value: number): void {
    const known = this.#sources.get(source) ?? this.#begin(source)
    const before = known.get(name)
    known.set(name, value)
    // A counter with a name of its own, such as a kind of error, begins with its first event.
    const start = this.#fresh.has(source) ? value : 0
    const grown = value - (before ?? start)
    this.#totals.set(name, (this.#totals.get(name) ?? 0) + Math.max(0, grown))
  }

  /** All sources but these are gone; what they had added stays. */
  keepOnly(sources: ReadonlySet<string>): void {
    for (const source of this.#sources.keys()) if (!sources.has(source)) this.#sources.delete(source)
  }

  #begin(source: string): Map<Name, number> {
    const counters = new Map<Name, number>()
    this.#sources.set(source, counters)
    this.#fresh.add(source)
    return counters
  }

  /** Ends a look: all that was seen belongs to this moment. */
  mark(at: number): void {
    this.#fresh.clear()
    this.#marks.push({ at, totals: new Map(this.#totals) })
    // One mark from before the time is kept, as its beginning.
    while (this.#marks.length > 2 && this.#marks[1]!.at <= at - this.#keptMs) this.#marks.shift()
  }

  /** There were two looks: rates can be told. */
  get isKnown(): boolean {
    return this.#marks.length > 1
  }

  names(): Iterable<Name> {
    return this.#totals.keys()
  }

  grown(name: Name, overMs: number): number {
    const { from, to } = this.#span(overMs)
    return (to?.totals.get(name) ?? 0) - (from?.totals.get(name) ?? 0)
  }

  perSecond(name: Name, overMs: number): number {
    const { from, to } = this.#span(overMs)
    const elapsedMs = (to?.at ?? 0) - (from?.at ?? 0)
    return elapsedMs <= 0 ? 0 : (this.grown(name, overMs) * 1000) / elapsedMs
  }

  #span(overMs: number) {
    const to = this.#marks.at(-1)
    const from = to && this.#marks.findLast(({ at }) => at <= to.at - overMs)
    return { from: from ?? this.#marks[0], to }
  }
}
