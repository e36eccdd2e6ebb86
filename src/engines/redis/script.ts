import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { RedisClient } from './connect.ts'

export type ScriptArgument = string | number | Buffer

/** One atomic step, written in Lua in files of its own. */
export class Script {
  readonly source: string
  readonly digest: string

  constructor(source: string) {
    this.source = source
    this.digest = createHash('sha1').update(source).digest('hex')
  }

  /** Sends it by its digest, and whole where the engine does not know it: after a restart, on a new master. */
  async run(client: RedisClient, keys: readonly string[], args: readonly ScriptArgument[] = []): Promise<unknown> {
    try {
      return await client.evalsha(this.digest, keys.length, ...keys, ...args)
    } catch (error) {
      if (!isScriptUnknown(error)) throw error
      return client.eval(this.source, keys.length, ...keys, ...args)
    }
  }
}

/** Joins files to one script: parts that several have in common come first. */
export function scriptOf(...files: readonly URL[]): Script {
  return new Script(files.map((file) => readFileSync(file, 'utf8')).join('\n'))
}

export function isScriptUnknown(error: unknown): boolean {
  return error instanceof Error && error.message.startsWith('NOSCRIPT')
}
