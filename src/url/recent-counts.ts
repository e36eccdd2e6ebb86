import type { ShapeCounts } from './budgets.ts'

const MAX_SHAPES = 30_000
const MAX_GROUPS = 10_000

/**
 * Counts in bounded memory, where many workers share a crawl: a shape that was not met for long begins anew, and each
 * counts for itself, so that budgets are the right order of magnitude and not exact.
 */
export class RecentCounts implements ShapeCounts {
  readonly #times = new Recent<number>(MAX_SHAPES)
  readonly #members = new Recent<Set<string>>(MAX_GROUPS)

  count(shape: string): number {
    const times = (this.#times.get(shape) ?? 0) + 1
    this.#times.set(shape, times)
    return times
  }

  join(group: string, member: string, max: number): boolean {
    const members = this.#members.get(group) ?? new Set()
    this.#members.set(group, members)
    if (members.has(member)) return true
    if (members.size >= max) return false
    members.add(member)
    return true
  }

  /** Shapes and groups that are remembered. */
  get remembered(): number {
    return this.#times.size + this.#members.size
  }
}

/** The latest keys with their values: when the newer half is full, the older one is dropped. */
class Recent<Value> {
  readonly #max: number
  #newer = new Map<string, Value>()
  #older = new Map<string, Value>()

  constructor(max: number) {
    this.#max = max
  }

  get size(): number {
    return this.#newer.size + this.#older.size
  }

  get(key: string): Value | undefined {
    return this.#newer.get(key) ?? this.#older.get(key)
  }

  set(key: string, value: Value): void {
    if (this.#newer.size >= this.#max / 2 && !this.#newer.has(key)) {
      this.#older = this.#newer
      this.#newer = new Map()
    }
    this.#newer.set(key, value)
  }
}
