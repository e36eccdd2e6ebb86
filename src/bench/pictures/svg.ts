/** Writes pictures as SVG: no more than charts need, readable on light and dark pages. */

/** Text that is SVG already. */
export type Svg = string & { readonly isSvg?: true }

type Attributes = Readonly<Record<string, string | number>>

export function element(name: string, attributes: Attributes, ...content: readonly Svg[]): Svg {
  const written = Object.entries(attributes).map(
    ([key, value]) => ` ${key}="${escaped(typeof value === 'number' ? String(Math.round(value * 10) / 10) : value)}"`,
  )
  return content.length === 0
    ? `<${name}${written.join('')}/>`
    : `<${name}${written.join('')}>${content.join('')}</${name}>`
}

export type Anchor = 'start' | 'middle' | 'end'

export function label(x: number, y: number, text: string, anchor: Anchor = 'start', kind = 'label'): Svg {
  return element('text', { x, y, class: kind, 'text-anchor': anchor }, escaped(text))
}

export function line(x1: number, y1: number, x2: number, y2: number, kind: string): Svg {
  return element('line', { x1, y1, x2, y2, class: kind })
}

export function rectangle(x: number, y: number, width: number, height: number, kind: string): Svg {
  return element('rect', { x, y, width: Math.max(0, width), height, class: kind })
}

export interface Picture {
  readonly width: number
  readonly height: number
  readonly title: string
  readonly content: readonly Svg[]
}

/** A whole file. The title stands in the picture and is what screen readers say. */
export function svgFile({ width, height, title, content }: Picture): string {
  const attributes = { xmlns: 'http://www.w3.org/2000/svg', viewBox: `0 0 ${width} ${height}`, width, height }
  const parts = [
    element('title', {}, escaped(title)),
    element('style', {}, style),
    rectangle(0, 0, width, height, 'paper'),
    label(20, 28, title, 'start', 'heading'),
    ...content,
  ]
  return `${element('svg', { ...attributes, role: 'img' }, `\n${parts.join('\n')}\n`)}\n`
}

const style = `
text { font: 12px system-ui, -apple-system, "Segoe UI", "DejaVu Sans", sans-serif; fill: #24292f }
.heading { font-size: 15px; font-weight: 600 }
.strong { font-weight: 600 }
.faint { fill: #656d76; font-size: 11px }
.value, .bound-label { paint-order: stroke; stroke: #ffffff; stroke-width: 4px; stroke-linejoin: round }
.paper { fill: #ffffff }
.track { fill: #eef1f4 }
.bar { fill: #2f6fd0 }
.bar-own { fill: #d9622b }
.axis { stroke: #8c959f; stroke-width: 1 }
.rule { stroke: #d8dee4; stroke-width: 1 }
.bound { stroke: #b35900; stroke-width: 1.2; stroke-dasharray: 5 4 }
.bound-label { fill: #b35900; font-size: 11px }
.curve { fill: none; stroke: #2f6fd0; stroke-width: 2.2 }
.dot { fill: #2f6fd0 }
.range { stroke: #2f6fd0; stroke-width: 1.2 }
.spread { stroke: #24292f; stroke-width: 1.4 }
@media (prefers-color-scheme: dark) {
  text { fill: #e6edf3 }
  .faint { fill: #9198a1 }
  .value, .bound-label { stroke: #0d1117 }
  .paper { fill: #0d1117 }
  .track { fill: #1c2330 }
  .bar { fill: #5b9bf8 }
  .bar-own { fill: #f0883e }
  .axis { stroke: #7d8590 }
  .rule { stroke: #30363d }
  .bound { stroke: #e3a04f }
  .bound-label { fill: #e3a04f }
  .curve { stroke: #5b9bf8 }
  .dot { fill: #5b9bf8 }
  .range { stroke: #5b9bf8 }
  .spread { stroke: #e6edf3 }
}
`

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')
}
