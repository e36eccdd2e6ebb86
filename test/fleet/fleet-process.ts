import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type MemberLife, type Pause, readLife } from './member-life.ts'

const commandLine = fileURLToPath(new URL('../../src/cli/main.ts', import.meta.url))
const signRequests = new URL('./sign-requests.ts', import.meta.url)

/** A member of a fleet, as a process that can be ended at any moment. */
export class FleetProcess implements AsyncDisposable {
  readonly #child: ChildProcess
  readonly #exited: Promise<unknown>
  readonly #logFile: string | undefined
  readonly #pauses: Pause[] = []
  #killedAt: number | undefined
  /** What it said, for when a test fails. */
  said = ''

  /** `logFile`: where the arguments let it write down what it does. */
  constructor(args: readonly string[], logFile?: string) {
    this.#logFile = logFile
    this.#child = spawn(process.execPath, [commandLine, ...args], {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: {
        ...process.env,
        NODE_COMPILE_CACHE: join(tmpdir(), 'orbweaver-compile-cache'),
        NODE_OPTIONS: `--import=${signRequests}`,
      },
    })
    this.#exited = once(this.#child, 'exit')
    for (const stream of [this.#child.stdout!, this.#child.stderr!])
      stream.on('data', (text: Buffer) => {
        this.said += text
      })
  }

  get pid(): number {
    return this.#child.pid!
  }

  get isAlive(): boolean {
    return this.#child.exitCode === null && this.#child.signalCode === null
  }

  get exitCode(): number | null {
    return this.#child.exitCode
  }

  /** As `kill -9` does. */
  async kill(): Promise<void> {
    this.#killedAt = Date.now()
    this.#child.kill('SIGKILL')
    await this.#exited
  }

  /** As it was until now. */
  life(): MemberLife {
    const { pid } = this
    return readLife({ pid, killedAt: this.#killedAt, pauses: this.#pauses, logFile: this.#logFile ?? '' })
  }

  /** As a machine does that sleeps. */
  pause(): void {
    this.#pauses.push({ from: Date.now(), until: Number.POSITIVE_INFINITY })
    this.#child.kill('SIGSTOP')
  }

  goOn(): void {
    this.#child.kill('SIGCONT')
    const last = this.#pauses.pop()
    if (last) this.#pauses.push({ ...last, until: Date.now() })
  }

  /** In order. */
  async stop(): Promise<void> {
    this.#child.kill('SIGTERM')
    await this.#exited
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.isAlive) await this.kill()
  }
}
