import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { RedisClient } from './connect.ts'

export type ScriptArgument = string | number | Buffer

/** One atomic step, written in Lua in files of its own. */
export class Script {
  readonly source: string
  readonly digest: string
  /**
   * It takes up to so many calls at once, each as its keys, the number of its arguments (one at least), and these, and
   * answers a list. One that has the keys of the call before has none of its own, and a number below zero. Undefined: it
   * takes one call, as it is.
   */
  readonly callsAtOnce: number | undefined

  constructor(source: string, callsAtOnce?: number) {
    this.source = source
    this.callsAtOnce = callsAtOnce
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

/** The same for a script that carries out several calls one after the other: its last file is a call. */
export function scriptForMany(callsAtOnce: number, forEach: string, ...files: readonly URL[]): Script {
  const [call, ...common] = files.map((file) => readFileSync(file, 'utf8')).toReversed()
  const wrapped = calledBy(`return ${forEach}`, call ?? '')
  return new Script([...common.toReversed(), wrapped].join('\n'), callsAtOnce)
}

/** Lua that says itself when, and how often, `call()` is made. */
export function calledBy(caller: string, call: string): string {
  return `local function call()\n${call}\nend\n${caller}`
}

export function isScriptUnknown(error: unknown): boolean {
  return error instanceof Error && error.message.startsWith('NOSCRIPT')
}
