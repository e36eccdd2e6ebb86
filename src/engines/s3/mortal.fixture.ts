import type { S3Connection } from './connect.ts'

/**
 * Counts the requests of a process that change something in S3, and ends its life after one of them: S3 has acted, nobody
 * hears the answer. To die after a request that only reads is the same as to die before the next that writes.
 */
export interface Life {
  /** Names of the requests, in the order of sending. */
  readonly written: string[]
  readonly read: string[]
  /** Resolves at the moment of death. */
  readonly died: Promise<void>
}

export function mortal(connection: S3Connection, lastWrite = Number.POSITIVE_INFINITY): Life {
  const { promise: died, resolve: die } = Promise.withResolvers<void>()
  const { promise: silence } = Promise.withResolvers<never>()
  let dead = false
  const life: Life = { written: [], read: [], died }
  connection.client.middlewareStack.add(
    (next, context) => async (args) => {
      const name = context.commandName ?? ''
      const isWrite = !/^(Get|Head|List)/.test(name)
      if (isWrite && life.written.length === lastWrite) return silence
      const isLast = isWrite && life.written.push(name) === lastWrite
      if (!isWrite) life.read.push(name)
      const answer = next(args)
      await Promise.allSettled([answer])
      if (isLast) {
        dead = true
        die()
      }
      return dead ? silence : answer
    },
    { step: 'initialize', name: 'mortal' },
  )
  return life
}
