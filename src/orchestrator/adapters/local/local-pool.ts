import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import type { Clock } from '../../../clock.ts'
import type { WorkerPool } from '../../worker-pool.ts'

export interface LocalPoolOptions {
  /** The command line of a worker; `--id NAME` is added. */
  readonly command: readonly [program: string, ...args: string[]]
  readonly environment?: Readonly<Record<string, string | undefined>>
  readonly clock: Clock
  readonly log: (line: string) => void
}

interface Member {
  readonly id: string
  readonly child: ChildProcess
  readonly exited: Promise<void>
  isLeaving: boolean
}

/** One that dies so soon has a trouble that a new one will have, too. */
const soonMs = 10_000
const longestWaitMs = 60_000

/**
 * Workers as child processes. One that dies is replaced; one that dies at once is not started again without end. Children
 * leave when this process does, however it ends: they notice that nobody holds the other end of their channel.
 */
export function localPool(options: LocalPoolOptions): WorkerPool & { readonly ids: readonly string[] } {
  const { clock, log } = options
  const members = new Map<string, Member>()
  const closing = new AbortController()
  let wanted = 0
  let waitMs = 0
  const staying = () => [...members.values()].filter(({ isLeaving }) => !isLeaving)

  function start(): void {
    const id = `local-${process.pid}-${randomBytes(3).toString('hex')}`
    const [program, ...args] = options.command
    const child = spawn(program, [...args, '--id', id], {
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
      env: { ...process.env, ...options.environment },
    })
    const startedAt = clock.now()
    const exited = new Promise<void>((resolve) => {
      child.once('exit', () => resolve())
      child.once('error', (error) => {
        log(`worker ${id} could not be started: ${error.message}`)
        resolve()
      })
    })
    const member: Member = { id, child, exited, isLeaving: false }
    members.set(id, member)
    void exited.then(() => gone(member, clock.now() - startedAt))
  }

  async function gone({ id, child, isLeaving }: Member, livedMs: number): Promise<void> {
    members.delete(id)
    if (isLeaving || closing.signal.aborted) return
    waitMs = livedMs < soonMs ? Math.min(Math.max(1000, 2 * waitMs), longestWaitMs) : 0
    const how = child.signalCode ?? `code ${child.exitCode}`
    log(`worker ${id} ended by itself (${how}); another takes its place${waitMs ? ` in ${waitMs / 1000} s` : ''}`)
    await clock.sleep(waitMs, closing.signal)
    fill()
  }

  function fill(): void {
    if (closing.signal.aborted) return
    while (staying().length < wanted) start()
  }

  function dismiss(member: Member): void {
    member.isLeaving = true
    member.child.kill('SIGTERM')
  }

  async function scaleTo(count: number): Promise<void> {
    wanted = count
    fill()
    // The youngest leave first: their connections and caches are the coldest.
    for (const member of staying().slice(wanted)) dismiss(member)
  }

  return {
    get ids() {
      return staying().map(({ id }) => id)
    },
    size: async () => wanted,
    scaleTo,
    async standDown() {
      const leaving = staying().length
      await scaleTo(0)
      return leaving
    },
    owns: ({ id }) => members.has(id),
    async replace({ id }) {
      const member = members.get(id)
      if (!member) return
      member.isLeaving = true
      member.child.kill('SIGKILL')
      await member.exited
      fill()
    },
    async [Symbol.asyncDispose]() {
      closing.abort()
      for (const member of staying()) dismiss(member)
      await Promise.all([...members.values()].map(({ exited }) => exited))
    },
  }
}
