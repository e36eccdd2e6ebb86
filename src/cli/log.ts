import type { Invocation } from './command.ts'
import { dim } from './terminal.ts'

/** Lines of a process that goes on for long: each with its moment; with --json a value each, on standard output. */
export function logTo({ terminal, json }: Pick<Invocation, 'terminal' | 'json'>): (line: string) => void {
  return (line) => {
    const at = new Date().toISOString()
    if (json) terminal.print(JSON.stringify({ at, message: line }))
    else terminal.note(`${dim(at.slice(11, 19))} ${line}`)
  }
}
