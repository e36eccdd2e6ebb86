import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { RedisClient } from './connect.ts'

export type ScriptArgument = string | number | Buffer

/** One atomic step, written in Lua in a file of its own. */
export interface RedisScript {
  readonly source: string
  readonly digest: string
  /** Sends it by its digest, and whole where the engine does not know it: after a restart, on a new master. */
  run(client: RedisClient, keys: readonly string[], args?: readonly ScriptArgument[]): Promise<unknown>
}

export function redisScript(file: URL): RedisScript {
  const source = readFileSync(file, 'utf8')
  const digest = createHash('sha1').update(source).digest('hex')
  return {
    source,
    digest,
    async run(client, keys, args = []) {
      try {
        return await client.evalsha(digest, keys.length, ...keys, ...args)
      } catch (error) {
        if (!(error instanceof Error && error.message.startsWith('NOSCRIPT'))) throw error
        return client.eval(source, keys.length, ...keys, ...args)
      }
    },
  }
}
