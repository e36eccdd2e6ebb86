/** A table before it is known where it will stand. The first column names the row; all others are figures. */
export interface Grid {
  readonly heads: readonly string[]
  readonly rows: readonly (readonly string[])[]
}

/** Aligned for a terminal: names to the left, figures to the right. */
export function gridText({ heads, rows }: Grid): string[] {
  const all = [heads, ...rows]
  const widths = heads.map((_, column) => Math.max(...all.map((row) => row[column]?.length ?? 0)))
  return all.map((row) =>
    row
      .map((cell, column) => (column === 0 ? cell.padEnd(widths[column]!) : cell.padStart(widths[column]!)))
      .join('  ')
      .trimEnd(),
  )
}

export function gridMarkdown({ heads, rows }: Grid): string[] {
  const line = (cells: readonly string[]) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`
  return [line(heads), `|---|${'---:|'.repeat(heads.length - 1)}`, ...rows.map(line)]
}
