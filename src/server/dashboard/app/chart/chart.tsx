import { clockTime, duration } from '../data/format.ts'
import type { Bound } from '../data/panels.ts'
import {
  areaPath,
  type Frame,
  linePath,
  momentAt,
  nearest,
  type Point,
  roundUp,
  stacked,
  thin,
  xOf,
  yOf,
} from './scale.ts'
import { useWidth } from './use-width.ts'

export interface Series {
  readonly name: string
  readonly points: readonly Point[]
}

/** The moment that the reader points at, shared by all charts of a page. */
export interface Cursor {
  readonly at: number | null
  point(at: number | null): void
}

interface ChartParts {
  readonly label: string
  readonly series: readonly Series[]
  /** Layers that add up, instead of lines. */
  readonly isStacked?: boolean
  readonly to: number
  readonly spanMs: number
  readonly show: (value: number) => string
  /** The top is at least this. */
  readonly least: number
  /** No value is above. */
  readonly most?: number | undefined
  readonly bottom?: number | undefined
  readonly bound?: Bound | undefined
  readonly cursor: Cursor
}

const height = 112
/** Between two points further apart than this nothing was known. */
const gapMs = 20_000
const pixelsPerColumn = 2
/** Room for what the lines across mean. */
const left = 40

export function Chart(parts: ChartParts) {
  const { label, series, isStacked = false, to, spanMs, show, bound, cursor } = parts
  const { ref, width } = useWidth<HTMLDivElement>(320)
  const from = to - spanMs
  const columns = Math.max(1, Math.ceil((width - left) / pixelsPerColumn))
  const lines = series.map(({ points }) =>
    thin(
      points.filter(({ at }) => at >= from),
      from,
      to,
      columns,
    ),
  )
  const drawn = isStacked ? stacked(lines) : lines
  const { top, isBoundNear } = topOf(parts, drawn)
  const frame: Frame = { from, to, bottom: parts.bottom ?? 0, top, width, height, left }
  const gap = Math.max(gapMs, (3 * spanMs) / columns)
  const pointed = cursor.at === null ? -1 : nearest(lines[0] ?? [], cursor.at)
  const pointedAt = lines[0]?.[pointed]?.at

  return (
    <div class="chart" ref={ref}>
      <svg
        role="img"
        aria-label={label}
        viewBox={`0 0 ${width} ${height}`}
        onPointerMove={(event) => cursor.point(momentAt(frame, event.offsetX))}
        onPointerLeave={() => cursor.point(null)}
      >
        <Grid frame={frame} />
        {bound && isBoundNear && <BoundLine frame={frame} bound={bound} />}
        {drawn.map((line, i) => (
          <Line
            key={series[i]!.name}
            frame={frame}
            line={line}
            below={isStacked ? drawn[i - 1] : undefined}
            style={i + 1}
            isStacked={isStacked}
            gap={gap}
          />
        ))}
        <Labels frame={frame} show={show} />
        {pointedAt !== undefined && (
          <line class="chart-cursor" x1={xOf(frame, pointedAt)} x2={xOf(frame, pointedAt)} y1={0} y2={height} />
        )}
      </svg>
      <div class="chart-axis">
        {pointedAt === undefined ? (
          <>
            <span>{duration(spanMs)} ago</span>
            <span>now</span>
          </>
        ) : (
          <>
            <span>{clockTime(pointedAt)}</span>
            <span>{readout(drawn.at(-1)?.[pointed]?.value, show)}</span>
          </>
        )}
      </div>
    </div>
  )
}

/** A bound that is far away would flatten the line: it is drawn only where the figures come near it. */
function topOf({ least, most, bound }: ChartParts, lines: readonly (readonly Point[])[]) {
  const largest = Math.max(least, ...lines.flatMap((line) => line.map(({ value }) => value)))
  const isBoundNear = bound !== undefined && bound.value <= largest * 4
  const top = roundUp(isBoundNear ? Math.max(largest, bound.value * 1.1) : largest)
  return { top: most === undefined ? top : Math.min(top, most), isBoundNear }
}

/** Of layers their sum; what each of them had stands in the legend. */
const readout = (value: number | undefined, show: (value: number) => string) =>
  value === undefined ? '–' : show(value)

const levels = ({ bottom, top }: Frame) => [bottom, (bottom + top) / 2, top]

function Grid({ frame }: { frame: Frame }) {
  return (
    <g>
      {levels(frame).map((value) => (
        <line key={value} class="chart-grid" x1={left} x2={frame.width} y1={yOf(frame, value)} y2={yOf(frame, value)} />
      ))}
    </g>
  )
}

function Labels({ frame, show }: { frame: Frame; show: (value: number) => string }) {
  return (
    <g>
      {levels(frame)
        .filter((value) => value !== 0)
        .map((value) => (
          <text key={value} class="chart-label" x={left - 4} y={Math.min(height, Math.max(9, yOf(frame, value) + 4))}>
            {show(value)}
          </text>
        ))}
    </g>
  )
}

/** The bound, and the ground on its wrong side. */
function BoundLine({ frame, bound }: { frame: Frame; bound: Bound }) {
  const y = yOf(frame, bound.value)
  const beyond = bound.side === 'at-most' ? { y: 0, height: y } : { y, height: height - y }
  return (
    <g>
      <rect class="chart-beyond" x={left} width={Math.max(0, frame.width - left)} {...beyond} />
      <line class="chart-threshold" x1={left} x2={frame.width} y1={y} y2={y} />
    </g>
  )
}

interface LineParts {
  readonly frame: Frame
  readonly line: readonly Point[]
  readonly below: readonly Point[] | undefined
  readonly style: number
  readonly isStacked: boolean
  readonly gap: number
}

function Line({ frame, line, below, style, isStacked, gap }: LineParts) {
  if (!isStacked) return <path class={`chart-line stroke-${style}`} d={linePath(frame, line, gap)} />
  const floor = below ?? line.map(({ at }) => ({ at, value: 0 }))
  return <path class={`fill-${style}`} d={areaPath(frame, floor, line)} />
}
