import type { Database } from '../../../embedded/database.ts'
import type { Facts } from '../../../store/facts.ts'
import type { Sums } from '../../frontier.ts'

const fact = 'frontier.sums'

export function readSums(facts: Facts): Sums {
  return JSON.parse(facts.get(fact) ?? '{}')
}

/** Joins the current group of writes; for when no frontier is open. */
export function addToSums(facts: Facts, adds: Sums): void {
  if (Object.keys(adds).length > 0) facts.set(fact, JSON.stringify(plus({ ...readSums(facts) }, adds)))
}

function plus(sums: Record<string, number>, adds: Sums): Sums {
  for (const name in adds) sums[name] = (sums[name] ?? 0) + adds[name]!
  return sums
}

/** What settled visits add up to: in memory, and stored with the group of writes in which they were settled. */
export class KeptSums {
  readonly #sums: Record<string, number>
  #changed = false

  constructor(database: Database, facts: Facts) {
    this.#sums = { ...readSums(facts) }
    database.beforeCommit(() => {
      if (this.#changed) facts.set(fact, JSON.stringify(this.#sums))
      this.#changed = false
    })
  }

  add(adds: Sums): void {
    plus(this.#sums, adds)
    this.#changed = true
  }

  all(): Sums {
    return { ...this.#sums }
  }
}
