import type { TakeOptions } from './stream.ts'

export interface Source<Item> {
  /** Up to `max` items that wait, in order. */
  take(max: number): readonly Item[]
  /** Resolves when there may be more to take, or the signal is set. Rejects when there never will be. */
  changed(signal: AbortSignal): Promise<void>
}

/**
 * Handles what a source gives, begun in order and at most `atOnce` under way, until the signal is set. The first failure
 * ends it: what is under way ends, then the failure is thrown.
 */
export async function handOver<Item>(
  source: Source<Item>,
  handle: (item: Item) => Promise<void>,
  { atOnce, signal }: TakeOptions,
): Promise<void> {
  const underWay = new Set<Promise<void>>()
  const failures: unknown[] = []
  let changed: Promise<void> | undefined
  while (failures.length === 0 && !signal.aborted) {
    changed ??= source
      .changed(signal)
      .catch((error) => void failures.push(error))
      .finally(() => {
        changed = undefined
      })
    for (const item of source.take(atOnce - underWay.size)) {
      const handling = handle(item)
        .catch((error) => void failures.push(error))
        .finally(() => underWay.delete(handling))
      underWay.add(handling)
    }
    await Promise.race(underWay.size < atOnce ? [...underWay, changed] : underWay)
  }
  await Promise.all(underWay)
  if (failures.length > 0) throw failures[0]
}
