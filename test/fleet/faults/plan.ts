import { random } from '../../web/random.ts'

/** Something that befalls a fleet, at a point of its crawl. */
export interface Incident<Kind extends string> {
  readonly kind: Kind
  /** When so many pages are done; the crawl's own progress, so that a slow machine sees the same story as a fast one. */
  readonly afterPages: number
  /** Whom it befalls: 0 ≤ n < 1, a share of the way through whatever list there is then. */
  readonly victim: number
}

/**
 * Incidents spread over a crawl: of each kind as many as asked for, in an order made by the seed. The last tenth of the
 * crawl is left alone, so that the last incident finds something to interrupt.
 */
export function incidents<Kind extends string>(
  seed: number,
  pages: number,
  counts: Readonly<Record<Kind, number>>,
): Incident<Kind>[] {
  const chance = random('incidents', seed)
  const kinds = (Object.entries(counts) as [Kind, number][]).flatMap(([kind, count]) => Array<Kind>(count).fill(kind))
  return kinds
    .map((kind) => ({
      kind,
      afterPages: 1 + chance.below(Math.max(1, Math.floor(pages * 0.9))),
      victim: chance.next() / 2 ** 32,
    }))
    .sort((a, b) => a.afterPages - b.afterPages)
}

/** The one of a list that an incident befalls; `undefined` when there is none. */
export function victimOf<T>({ victim }: Incident<string>, list: readonly T[]): T | undefined {
  return list[Math.floor(victim * list.length)]
}
