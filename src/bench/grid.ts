/** A table before it is known where it will stand. The first column names the row; then come figures, then words. */
export interface Grid {
  /** How many of the last columns hold words; none unless given. */
  readonly words?: number
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

export function gridMarkdown({ heads, rows, words = 0 }: Grid): string[] {
  const line = (cells: readonly string[]) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`
  return [line(heads), `|---|${'---:|'.repeat(heads.length - 1 - words)}${'---|'.repeat(words)}`, ...rows.map(line)]
}
