import { once } from 'node:events'
import { connect } from 'node:net'
import { type Report, silently } from './cache.ts'
import { freePorts } from './free-ports.ts'
import { redisProgram } from './redis-program.ts'
import { homeOf, launch, type Place, type RunningEngine } from './running-engine.ts'

export interface RedisOptions extends Place {
  /** Writes every command to disk at once, so that a restart, also after kill -9, finds all of it. */
  readonly appendOnly?: boolean
  /** Further settings of the server, as on its command line: `['--requirepass', 'secret']`. */
  readonly settings?: readonly string[]
}

/** One Redis (or Valkey) server of one's own. */
export async function startRedis(options: RedisOptions = {}, report: Report = silently): Promise<RunningEngine> {
  const program = await redisProgram(report)
  const home = await homeOf(options, 'redis')
  const port = options.port ?? (await freePorts(1))[0]!
  const durability = options.appendOnly ? ['--appendonly', 'yes', '--appendfsync', 'always'] : ['--appendonly', 'no']
  return launch({
    title: 'Redis',
    url: `redis://127.0.0.1:${port}`,
    program,
    arguments: [...serverArguments(port, home.folder), ...durability, ...(options.settings ?? [])],
    home,
    isReady: () => answersPing(port),
  })
}

export const serverArguments = (port: number, folder: string) => [
  ...['--port', `${port}`, '--bind', '127.0.0.1', '--dir', folder],
  // No snapshots, and no eviction: what is written stays until it is removed.
  ...['--save', '', '--maxmemory-policy', 'noeviction'],
]

/** A server that wants a password, or is still loading its data, answers too, but only the second is not ready. */
export async function answersPing(port: number): Promise<boolean> {
  const socket = connect({ port, host: '127.0.0.1' })
  try {
    socket.write('PING\r\n')
    const [answer] = await once(socket, 'data', { signal: AbortSignal.timeout(1000) })
    return /^(\+PONG|-NOAUTH)/.test(String(answer))
  } finally {
    socket.destroy()
  }
}
