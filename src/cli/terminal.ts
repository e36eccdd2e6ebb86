import type { Terminal } from './command.ts'

export function processTerminal(): Terminal {
  return {
    print: (line) => void process.stdout.write(`${harmless(line, process.stdout)}\n`),
    note: (line) => void process.stderr.write(`${harmless(line, process.stderr)}\n`),
    isInteractive: process.stderr.isTTY === true && process.env.TERM !== 'dumb',
    get columns() {
      return process.stderr.columns ?? 80
    },
  }
}

/** Everything that steers a terminal but line breaks, tabs and our own colours. */
const steering = /(?!\u001b\[\d{1,2}m)[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g

/** What comes from pages is untrusted: on a terminal it cannot steer; to a file or a pipe it goes as it is. */
export function harmless(text: string, stream: { readonly isTTY?: boolean }): string {
  return stream.isTTY ? text.replaceAll(steering, '\ufffd') : text
}

const paint = process.stdout.isTTY && process.stderr.isTTY && !process.env.NO_COLOR
const style = (open: number, close: number) => (text: string) =>
  paint ? `\u001b[${open}m${text}\u001b[${close}m` : text

export const bold = style(1, 22)
export const dim = style(2, 22)
export const green = style(32, 39)
export const red = style(31, 39)
export const yellow = style(33, 39)

/** Columns aligned to their widest cell; numbers to the right. */
export function table(rows: readonly (readonly (string | number)[])[]): string[] {
  const widths: number[] = []
  const cells = rows.map((row) => row.map((cell) => (typeof cell === 'number' ? cell.toLocaleString('en-US') : cell)))
  for (const row of cells)
    for (const [n, cell] of row.entries()) widths[n] = Math.max(widths[n] ?? 0, visibleLength(cell))
  return rows.map((row, r) =>
    row
      .map((cell, n) => {
        const text = cells[r]![n]!
        const padding = ' '.repeat(widths[n]! - visibleLength(text))
        return typeof cell === 'number' ? padding + text : n === row.length - 1 ? text : text + padding
      })
      .join('  ')
      .trimEnd(),
  )
}

/** Words in lines of at most `columns`, each behind the indent. A word that is longer has a line of its own. */
export function wrapped(text: string, columns: number, indent: string): string[] {
  const lines: string[] = []
  let line = ''
  for (const word of text.split(' ')) {
    const longer = line === '' ? word : `${line} ${word}`
    if (line !== '' && visibleLength(indent + longer) > columns) {
      lines.push(indent + line)
      line = word
    } else {
      line = longer
    }
  }
  return [...lines, indent + line]
}

function visibleLength(text: string): number {
  return text.replaceAll(/\u001b\[\d+m/g, '').length
}
