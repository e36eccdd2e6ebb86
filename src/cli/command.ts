import type { ParseArgsOptionDescriptor } from 'node:util'

/** A flag of the command line. */
export interface Flag {
  readonly type: 'string' | 'boolean'
  readonly help: string
  /** Shown in place of the value: `--max-pages N`. */
  readonly value?: string
  readonly short?: string
  readonly multiple?: boolean
  /** The setting that the flag sets, and how its text becomes the setting's value. */
  readonly setting?: string
  readonly read?: (text: string) => unknown
}

export type Flags = Readonly<Record<string, Flag>>

/** Values as they stood on the command line. */
export type Given = Readonly<Record<string, string | boolean | (string | boolean)[] | undefined>>

export interface Invocation {
  readonly args: readonly string[]
  readonly given: Given
  readonly json: boolean
  /** The crawl's folder. */
  readonly out: string
  readonly stdin: NodeJS.ReadStream
  readonly terminal: Terminal
}

/** Where a command's words go. */
export interface Terminal {
  /** Results: standard output. */
  print(line: string): void
  /** What accompanies the work: standard error. */
  note(line: string): void
  readonly isInteractive: boolean
  readonly columns: number
}

export interface Command {
  readonly name: string
  /** After the name in the usage line. */
  readonly usage: string
  readonly summary: string
  /** Longer help: examples, what machines read. */
  readonly details?: string
  readonly flags: Flags
  /** There is nothing in it that a server could be asked. */
  readonly isLocal?: boolean
  /** How many words it takes behind its name. Left out: none. */
  readonly takesWords?: number
  /** Words that begin with one dash are words, not options. */
  readonly takesDashes?: boolean
  /** Answers the exit code. */
  run(invocation: Invocation): Promise<number>
}

export const commonFlags: Flags = {
  out: { type: 'string', value: 'DIR', help: "the crawl's folder (default ./orbweaver-data)" },
  config: { type: 'string', value: 'FILE', help: 'settings in YAML or JSON; those that name engines mean a fleet' },
  crawl: { type: 'string', value: 'NAME', help: "in a fleet: the crawl's name (the newest)" },
  server: { type: 'string', value: 'URL', help: 'ask this server (orbweaver serve) in place of folder or engines' },
  token: { type: 'string', value: 'TEXT', help: 'the token for it (also ORBWEAVER_TOKEN)' },
  json: { type: 'boolean', help: 'answer in JSON, one value a line' },
  help: { type: 'boolean', short: 'h', help: 'show this help' },
}

export function parseArgsOptions(flags: Flags): Record<string, ParseArgsOptionDescriptor> {
  return Object.fromEntries(
    Object.entries(flags).map(([name, { type, short, multiple }]) => [
      name,
      { type, ...(short ? { short } : {}), ...(multiple ? { multiple } : {}) },
    ]),
  )
}

/** Settings that flags name, for `loadConfig`. */
export function overridesFrom(flags: Flags, given: Given): Record<string, unknown> {
  const overrides: Record<string, unknown> = {}
  for (const [name, flag] of Object.entries(flags)) {
    const value = given[name]
    if (value === undefined || !flag.setting) continue
    overrides[flag.setting] = flag.read && typeof value === 'string' ? flag.read(value) : value
  }
  return overrides
}
