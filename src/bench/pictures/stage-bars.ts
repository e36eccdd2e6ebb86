import { costOf, type StageColumn, stagesByCost } from '../tables.ts'
import { label, line, rectangle, svgFile } from './svg.ts'

const names = 120
const column = 190
const gap = 20
const row = 24
const top = 76

/** A bar for each stage in each mode, all on one scale: what a page's CPU time goes into. */
export function stageBars(columns: readonly StageColumn[]): string {
  const rows = stagesByCost(columns)
  const most = Math.max(...columns.flatMap(({ costs }) => costs.map(({ cpuMsPerPage }) => cpuMsPerPage)))
  const barWidth = column - gap - 44
  const content = columns.flatMap(({ name, costs }, c) => {
    const left = names + c * column
    const total = costs.reduce((sum, { cpuMsPerPage }) => sum + cpuMsPerPage, 0)
    return [
      label(left, 56, name, 'start', 'strong'),
      label(left + column - gap, 56, `${total.toFixed(2)} ms`, 'end', 'strong'),
      line(left, top - 10, left + column - gap, top - 10, 'rule'),
      ...rows.flatMap((stage, r) => {
        const cost = costOf(costs, stage) ?? 0
        const width = (barWidth * cost) / most
        const y = top + r * row
        return [
          rectangle(left, y, width, 14, 'bar'),
          label(left + width + 6, y + 11, cost.toFixed(2), 'start', 'faint'),
        ]
      }),
    ]
  })
  const height = top + rows.length * row + 14
  const stageNames = rows.map((stage, r) => label(names - 10, top + r * row + 11, stage, 'end'))
  const title = 'CPU ms a page, by stage'
  return svgFile({ width: names + columns.length * column, height, title, content: [...stageNames, ...content] })
}
