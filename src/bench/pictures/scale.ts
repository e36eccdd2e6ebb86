/** From 0 to a round number above `most`, in steps that people count by. */
export function roundSteps(most: number, about = 5): number[] {
  if (!(most > 0)) return [0, 1]
  const rough = most / about
  const power = 10 ** Math.floor(Math.log10(rough))
  const step = [1, 2, 2.5, 5, 10].map((factor) => factor * power).find((candidate) => candidate >= rough * 0.999)!
  return Array.from({ length: Math.ceil((most / step) * 0.999) + 1 }, (_, n) => Number((n * step).toPrecision(12)))
}

/** Places a value of one range into another. */
export function linear(from: readonly [number, number], to: readonly [number, number]): (value: number) => number {
  const factor = (to[1] - to[0]) / (from[1] - from[0] || 1)
  return (value) => to[0] + (value - from[0]) * factor
}

/** The same by powers of ten. */
export function logarithmic(from: readonly [number, number], to: readonly [number, number]): (value: number) => number {
  const place = linear([Math.log10(from[0]), Math.log10(from[1])], to)
  return (value) => place(Math.log10(value))
}
