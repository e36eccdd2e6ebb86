import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { pinned } from '../../src/bench/pinning.ts'

const main = fileURLToPath(new URL('../../src/cli/main.ts', import.meta.url))

/** The program in a process of its own, ended with the bench. */
export class Program implements AsyncDisposable {
  readonly #child: ChildProcess
  readonly #ended: Promise<unknown>
  #isAsked = false
  out = ''
  err = ''

  constructor(args: readonly string[], nodeFlags: readonly string[] = [], cores?: string) {
    const [command, ...rest] = pinned([process.execPath, ...nodeFlags, main, ...args], cores)
    this.#child = spawn(command, rest, { stdio: ['ignore', 'pipe', 'pipe'] })
    this.#ended = once(this.#child, 'close')
    this.#child.stdout?.setEncoding('utf8').on('data', (text: string) => (this.out += text))
    this.#child.stderr?.setEncoding('utf8').on('data', (text: string) => (this.err += text))
  }

  /** Standard output of a program that came to a good end. */
  async result(): Promise<string> {
    await this.#ended
    if (this.#child.exitCode !== 0) throw new Error(this.err || `ended with ${this.#child.exitCode}`)
    return this.out
  }

  /** Rejects when the program ends although nobody asked it to. */
  async untimelyEnd(): Promise<never> {
    await this.#ended
    if (this.#isAsked) return new Promise(() => {})
    throw new Error(this.err || `ended with ${this.#child.exitCode}`)
  }

  /** Waits until it has said something on its standard error. */
  async saying(what: RegExp): Promise<string> {
    for (;;) {
      const [said] = what.exec(this.err) ?? []
      if (said !== undefined) return said
      await Promise.race([once(this.#child.stderr!, 'data'), this.untimelyEnd()])
    }
  }

  /** User and system time of all its threads so far, but for the one that profiles: that never rests, whatever is done. */
  get cpuMs(): number {
    const pid = this.#child.pid!
    const threads = readdirSync(`/proc/${pid}/task`).map((id) => statOf(`${pid}/task/${id}`))
    const profiler = threads.find(({ name }) => name === PROFILER)
    return cpuMsOf(pid) - (profiler?.cpuMs ?? 0)
  }

  /** Lets it leave in order. */
  async leave(): Promise<void> {
    this.#isAsked = true
    this.#child.kill('SIGINT')
    await this.#ended
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isAsked = true
    this.#child.kill('SIGKILL')
    await this.#ended
  }
}

const TICK_MS = 10
/** V8's, as `--cpu-prof` starts it. */
const PROFILER = 'v8:ProfEvntProc'

/** By the kernel's count (Linux). */
export function cpuMsOf(pid: number): number {
  return statOf(`${pid}`).cpuMs
}

function statOf(task: string): { name: string; cpuMs: number } {
  const stat = readFileSync(`/proc/${task}/stat`, 'utf8')
  // The name stands in parentheses and may hold spaces.
  const [from, to] = [stat.indexOf('(') + 1, stat.lastIndexOf(')')]
  const fields = stat.slice(to + 2).split(' ')
  return { name: stat.slice(from, to), cpuMs: (Number(fields[11]) + Number(fields[12])) * TICK_MS }
}
