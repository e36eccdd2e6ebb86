/** The arithmetic of charts: from values to places on the screen. Pure. */

export interface Point {
  readonly at: number
  readonly value: number
}

const steps = [1, 1.5, 2, 3, 4, 5, 6, 8, 10]

/** The next round number at or above, such that half of it is round as well. */
export function roundUp(value: number): number {
  if (!(value > 0)) return 1
  const power = 10 ** Math.floor(Math.log10(value))
  const step = steps.find((factor) => factor * power >= value * (1 - 1e-9))!
  return Number((step * power).toPrecision(3))
}

/** At most `columns` points: each the mean of those in its stretch of time. Moments without a point stay empty. */
export function thin(points: readonly Point[], from: number, to: number, columns: number): Point[] {
  if (points.length <= columns) return [...points]
  const width = (to - from) / columns
  const thinned: Point[] = []
  let column = -1
  let sum = 0
  let size = 0
  const close = () => {
    if (size > 0) thinned.push({ at: from + (column + 0.5) * width, value: sum / size })
    sum = size = 0
  }
  for (const { at, value } of points) {
    // The last moment belongs to the last stretch.
    const its = Math.min(Math.floor((at - from) / width), columns - 1)
    if (its !== column) close()
    column = its
    sum += value
    size++
  }
  close()
  return thinned
}

export interface Frame {
  readonly from: number
  readonly to: number
  /** The value at the lower edge, and that at the upper. */
  readonly bottom: number
  readonly top: number
  readonly width: number
  readonly height: number
  /** Room for labels, to the left of the lines. */
  readonly left?: number
}

export const xOf = ({ from, to, width, left = 0 }: Frame, at: number): number =>
  left + ((at - from) / (to - from)) * (width - left)

/** The moment at a place, which may lie beyond the edges. */
export const momentAt = ({ from, to, width, left = 0 }: Frame, x: number): number =>
  from + ((x - left) / (width - left)) * (to - from)

/** Values beyond the edges lie on them. */
export function yOf({ bottom, top, height }: Frame, value: number): number {
  const inside = Math.min(Math.max(value, bottom), top)
  return height - ((inside - bottom) / (top - bottom)) * height
}

const place = (frame: Frame, { at, value }: Point) => `${xOf(frame, at).toFixed(1)} ${yOf(frame, value).toFixed(1)}`

/** A line through the points, broken where nothing was known for longer than `gapMs`. */
export function linePath(frame: Frame, points: readonly Point[], gapMs: number): string {
  let path = ''
  let before = Number.NEGATIVE_INFINITY
  for (const point of points) {
    path += `${point.at - before > gapMs ? 'M' : 'L'}${place(frame, point)}`
    before = point.at
  }
  return path
}

/** The area between two lines over the same moments. */
export function areaPath(frame: Frame, lower: readonly Point[], upper: readonly Point[]): string {
  if (upper.length < 2) return ''
  const there = upper.map((point) => place(frame, point))
  const back = lower.map((point) => place(frame, point)).reverse()
  return `M${[...there, ...back].join('L')}Z`
}

/** Layers on top of each other: each begins where the one below ends. All have the same moments. */
export function stacked(layers: readonly (readonly Point[])[]): Point[][] {
  const tops: Point[][] = []
  for (const layer of layers) {
    const below = tops.at(-1)
    tops.push(layer.map(({ at, value }, i) => ({ at, value: value + (below?.[i]?.value ?? 0) })))
  }
  return tops
}

/** The point nearest to a moment. */
export function nearest(points: readonly { readonly at: number }[], at: number): number {
  let best = -1
  let distance = Number.POSITIVE_INFINITY
  for (const [i, point] of points.entries()) {
    const its = Math.abs(point.at - at)
    if (its < distance) {
      best = i
      distance = its
    }
  }
  return best
}
