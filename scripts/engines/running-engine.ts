import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { EngineMissing } from './engine-missing.ts'
import { type Command, type GuardedProcess, startGuarded } from './guarded-process.ts'

/** An engine on loopback that we have started, and may break. */
export interface RunningEngine extends AsyncDisposable {
  /** As the variable for tests wants it. */
  readonly url: string
  /** Of the process that runs now: for SIGSTOP and SIGCONT. */
  readonly pid: number
  /** kill -9, as in a crash; the data stay. */
  kill(): Promise<void>
  /** Starts it again, at the same place and with its data; if it runs it is asked to stop before. */
  restart(): Promise<void>
  /** Ends it for good, and removes its data unless their folder was given. */
  stop(): Promise<void>
}

/** Where an engine is to be. */
export interface Place {
  /** Fixed ports, where they matter; by default free ones. */
  readonly port?: number
  /** Its data stay here when it stops; by default in a temporary folder that goes with it. */
  readonly folder?: string
}

export interface Launch {
  readonly title: string
  readonly url: string
  readonly program: string
  readonly arguments: readonly string[]
  readonly environment?: Readonly<Record<string, string>>
  readonly home: Home
  /** Whether it answers; to fail is to say "not yet". */
  isReady(): Promise<boolean>
}

export interface Home {
  readonly folder: string
  readonly isTemporary: boolean
}

const patienceMs = 90_000
const betweenChecksMs = 50

export async function homeOf({ folder }: Place, name: string): Promise<Home> {
  if (folder === undefined) return { folder: await mkdtemp(join(tmpdir(), `orbweaver-${name}-`)), isTemporary: true }
  await mkdir(folder, { recursive: true })
  return { folder, isTemporary: false }
}

export async function launch(order: Launch): Promise<RunningEngine> {
  const { home } = order
  const logFile = join(home.folder, 'engine.log')
  const command: Command = { ...order, ...home, logFile }
  const start = async () => {
    const started = await startGuarded(command)
    await untilReady(order, started, logFile)
    return started
  }
  const stop = async () => {
    await running?.end(home.isTemporary ? 'SIGKILL' : 'SIGTERM')
    if (home.isTemporary) await rm(home.folder, { recursive: true, force: true })
  }
  let running: GuardedProcess | undefined
  try {
    running = await start()
  } catch (error) {
    await stop()
    throw error
  }
  return {
    url: order.url,
    get pid() {
      return running!.pid
    },
    kill: () => running!.end('SIGKILL'),
    async restart() {
      await running!.end('SIGTERM')
      running = await start()
    },
    stop,
    [Symbol.asyncDispose]: stop,
  }
}

async function untilReady(order: Launch, started: GuardedProcess, logFile: string): Promise<void> {
  const deadline = performance.now() + patienceMs
  while (!(await answers(order))) {
    const failure = started.hasEnded ? 'ended at once' : performance.now() > deadline ? 'does not answer' : undefined
    if (failure !== undefined) {
      await started.end('SIGKILL')
      throw new EngineMissing(`${order.title}: it ${failure}; its last words: ${await lastWords(logFile)}`)
    }
    await sleep(betweenChecksMs)
  }
}

async function answers({ isReady }: Launch): Promise<boolean> {
  try {
    return await isReady()
  } catch {
    return false
  }
}

async function lastWords(logFile: string): Promise<string> {
  const lines = (await readFile(logFile, 'utf8')).split('\n').filter((line) => line.trim() !== '')
  return lines.slice(-3).join(' | ').slice(-600) || '(none)'
}
