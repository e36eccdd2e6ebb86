import { type ChildProcess, spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'

export const programPath = fileURLToPath(new URL('../../src/cli/main.ts', import.meta.url))

export interface Run {
  readonly code: number | null
  readonly out: string
  readonly err: string
  /** Standard output, each line parsed. */
  readonly json: () => Record<string, unknown>[]
}

export interface Running {
  readonly process: ChildProcess
  readonly ended: Promise<Run>
}

export function start(
  args: readonly string[],
  options: { input?: string; env?: Record<string, string> } = {},
): Running {
  const child = spawn(process.execPath, [programPath, ...args], { env: { ...process.env, ...options.env } })
  let out = ''
  let err = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => (out += text))
  child.stderr.setEncoding('utf8').on('data', (text: string) => (err += text))
  child.stdin.end(options.input ?? '')
  const ended = new Promise<Run>((resolve) => {
    child.on('close', (code) => {
      const json = () =>
        out
          .trim()
          .split('\n')
          .filter(Boolean)
          .map((line) => JSON.parse(line))
      resolve({ code, out, err, json })
    })
  })
  return { process: child, ended }
}

/** Runs the program as a user does, in a process of its own. */
export function orbweaver(args: readonly string[], options?: Parameters<typeof start>[1]): Promise<Run> {
  return start(args, options).ended
}
