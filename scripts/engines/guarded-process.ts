import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'

/** What is to run, and where it writes. */
export interface Command {
  readonly program: string
  readonly arguments: readonly string[]
  readonly environment?: Readonly<Record<string, string>>
  readonly folder: string
  readonly logFile: string
  /** The folder goes when this process dies without having stopped what it started. */
  readonly isTemporary: boolean
}

/** A process that ends with ours, whatever ends ours. */
export interface GuardedProcess {
  readonly pid: number
  readonly hasEnded: boolean
  /** Sends the signal and waits for the end; a process that does not obey is killed. */
  end(signal: 'SIGTERM' | 'SIGKILL'): Promise<void>
}

const guard = join(import.meta.dirname, 'guard.sh')
const obedienceMs = 30_000

export async function startGuarded(command: Command): Promise<GuardedProcess> {
  const { program, folder, logFile, isTemporary } = command
  const child = spawn('sh', [guard, isTemporary ? folder : '', logFile, program, ...command.arguments], {
    cwd: folder,
    env: { ...process.env, ...command.environment },
    stdio: ['pipe', 'pipe', 'ignore'],
    // Ctrl-C reaches everything in the terminal's group; what is stopped, and when, is for us to say.
    detached: true,
  })
  const ended = once(child, 'exit')
  const pid = await printedId(child)
  keepNobodyAwake(child)
  const hasEnded = () => child.exitCode !== null || child.signalCode !== null
  return {
    pid,
    get hasEnded() {
      return hasEnded()
    },
    async end(signal) {
      if (hasEnded()) return
      child.ref()
      send(pid, signal)
      const impatience = setTimeout(() => send(pid, 'SIGKILL'), obedienceMs)
      await ended
      clearTimeout(impatience)
    },
  }
}

async function printedId(child: ChildProcess): Promise<number> {
  const [line] = await once(child.stdout!, 'data')
  return Number(String(line))
}

/** A test that forgets its engine ends all the same, and the guard ends the engine. */
function keepNobodyAwake(child: ChildProcess): void {
  child.stdout!.destroy()
  child.unref()
  const stdin = child.stdin as typeof child.stdin & { unref?: () => void }
  stdin!.unref?.()
}

function send(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal)
  } catch (error) {
    // Gone already, which is what was wanted.
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}
