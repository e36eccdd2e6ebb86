import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { RedisClient } from './connect.ts'
import type { Turn } from './turn.ts'

export type ScriptArgument = string | number | Buffer

/** One atomic step, written in Lua in a file of its own. */
export interface RedisScript {
  run(client: RedisClient, keys: readonly string[], args?: readonly ScriptArgument[]): Promise<unknown>
  /** The same, together with all else that is sent in this turn; strings are answered as bytes. */
  runIn(turn: Turn, keys: readonly [string, ...string[]], args?: readonly ScriptArgument[]): Promise<unknown>
}

/** Sends the script by its digest, and whole where the engine does not know it: after a restart, on a new master. */
export function redisScript(file: URL): RedisScript {
  const source = readFileSync(file, 'utf8')
  const digest = createHash('sha1').update(source).digest('hex')
  return {
    run: (client, keys, args = []) =>
      orWhole(
        () => client.evalsha(digest, keys.length, ...keys, ...args),
        () => client.eval(source, keys.length, ...keys, ...args),
      ),
    runIn: (turn, keys, args = []) =>
      orWhole(
        () => turn.send(keys[0], 'EVALSHA', digest, keys.length, ...keys, ...args),
        () => turn.send(keys[0], 'EVAL', source, keys.length, ...keys, ...args),
      ),
  }
}

async function orWhole(byDigest: () => Promise<unknown>, whole: () => Promise<unknown>): Promise<unknown> {
  try {
    return await byDigest()
  } catch (error) {
    if (error instanceof Error && error.message.startsWith('NOSCRIPT')) return whole()
    throw error
  }
}
