import { readFileSync } from 'node:fs'

/** Where the system does not say. */
const usualOpenFiles = 8192

/** Files and sockets that this process may have open; Node has raised the limit to what the system allows. */
export function openFilesLimit(): number {
  if (process.platform !== 'linux') return usualOpenFiles
  const soft = /^Max open files\s+(\d+)/m.exec(readFileSync('/proc/self/limits', 'latin1'))?.[1]
  return soft === undefined ? usualOpenFiles : Number(soft)
}
