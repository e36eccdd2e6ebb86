/** Rows of cells → a Markdown table, whose first row is the header. Empty rows are left out. */
export function markdownTable(rows: readonly (readonly string[])[]): string[] {
  const filled = rows.filter((row) => row.some((cell) => cell !== ''))
  const columns = Math.min(MAX_COLUMNS, Math.max(0, ...filled.map((row) => row.length)))
  if (columns === 0) return []
  const line = (row: readonly string[]) => `| ${Array.from({ length: columns }, (_, i) => row[i] ?? '').join(' | ')} |`
  const [header, ...body] = filled
  return [line(header!), line(Array.from({ length: columns }, () => '---')), ...body.map(line)]
}

/** Wider tables lose their last columns: short rows are filled up, so width times rows must stay in proportion. */
const MAX_COLUMNS = 50
export const MAX_ROWS = 5000
