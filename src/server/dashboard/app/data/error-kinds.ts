import type { Vitals } from '../../../api/schemas/overview.ts'

/** Kinds that are drawn by themselves; all others are one. */
const shownKinds = 4

export interface ErrorKind {
  readonly name: string
  /** In the last minute. */
  readonly now: number
  readonly read: (vitals: Vitals) => number
}

/** The most frequent kinds of error over a time, and the rest of them together; so the legend does not change each second. */
export function errorKinds(history: readonly Vitals[], now: Vitals): ErrorKind[] {
  const sums = new Map<string, number>()
  for (const { errors } of [...history, now])
    for (const [kind, times] of Object.entries(errors)) sums.set(kind, (sums.get(kind) ?? 0) + times)
  const names = [...sums].sort(([, one], [, other]) => other - one).map(([kind]) => kind)
  const shown = names.slice(0, shownKinds)
  const kinds = shown.map((name) => kindOf(name, ({ errors }) => errors[name] ?? 0, now))
  if (names.length <= shownKinds) return kinds
  const isShown = new Set(shown)
  const others = ({ errors }: Vitals) =>
    Object.entries(errors).reduce((sum, [kind, times]) => (isShown.has(kind) ? sum : sum + times), 0)
  return [...kinds, kindOf('others', others, now)]
}

const kindOf = (name: string, read: (vitals: Vitals) => number, now: Vitals): ErrorKind => ({
  name,
  now: read(now),
  read,
})
