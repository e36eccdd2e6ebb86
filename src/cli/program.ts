import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { nearest } from '../config/load.ts'
import { UsageError } from '../config/usage-error.ts'
import { firstFault, StorageError } from '../embedded/storage-error.ts'
import { version } from '../version.ts'
import { type Command, commonFlags, type Flags, type Given, parseArgsOptions } from './command.ts'
import { commandNames, loadCommand, loadCommands } from './commands.ts'
import { CrawlFailed } from './crawl-failed.ts'
import { boundHeap } from './heap-bounds.ts'
import { commandHelp, programHelp } from './help.ts'
import { compilePatiently } from './patient-compiler.ts'
import { processTerminal } from './terminal.ts'

const terminal = processTerminal()
/** What was to be said could not be written. */
let isOutputLost = false

/** Runs one command and answers the exit code. */
export async function program(argv: readonly string[]): Promise<number> {
  boundHeap()
  compilePatiently()
  try {
    const code = await dispatch(argv)
    return isOutputLost ? 1 : code
  } catch (thrown) {
    const error = firstFault(thrown)
    const expected = [UsageError, StorageError, CrawlFailed].some((kind) => error instanceof kind)
    terminal.note(expected ? (error as Error).message : ((error as Error)?.stack ?? String(error)))
    return error instanceof UsageError ? error.exitCode : 1
  }
}

async function dispatch(argv: readonly string[]): Promise<number> {
  const [name, ...rest] = argv
  if (name === '--version' || name === '-V' || name === 'version') return say(version)
  if (name === undefined || name === '--help' || name === '-h' || name === 'help') return help(rest[0])
  const command = await loadCommand(name)
  if (!command)
    throw new UsageError(
      `There is no command "${name}".${nearest(name, commandNames)} \`orbweaver help\` lists them all.`,
    )
  const flags = { ...command.flags, ...commonFlags }
  const { values, positionals } = parse(command, flags, rest)
  if (values.help) return say(commandHelp(command))
  const tooMany = positionals[command.takesWords ?? 0]
  if (tooMany !== undefined) throw new UsageError(wordsTooMany(command, tooMany))
  if (command.isLocal && values.server !== undefined)
    throw new UsageError(`\`orbweaver ${command.name}\` works here and asks no server: leave out --server.`)
  return command.run({
    args: positionals,
    given: values,
    json: values.json === true,
    out: resolve(String(values.out ?? process.env.ORBWEAVER_OUT ?? 'orbweaver-data')),
    stdin: process.stdin,
    terminal,
  })
}

function wordsTooMany({ name, takesWords }: Command, word: string): string {
  const what = takesWords === undefined ? 'nothing but options' : 'fewer words'
  return `\`orbweaver ${name}\` takes ${what}: "${word}" is too much. A crawl's folder is named by --out.`
}

function parse(command: Command, flags: Flags, args: readonly string[]): { values: Given; positionals: string[] } {
  const dashed = command.takesDashes ? args.filter((arg) => /^-[^-]/.test(arg) && arg !== '-h') : []
  const others = args.filter((arg) => !dashed.includes(arg))
  try {
    return parseArgs({
      args: [...others, ...(dashed.length > 0 ? ['--', ...dashed] : [])],
      options: parseArgsOptions(flags),
      allowPositionals: true,
      strict: true,
    })
  } catch (error) {
    const { code, message } = error as Error & { code?: string }
    if (!code?.startsWith('ERR_PARSE_ARGS')) throw error
    const unknown = /^Unknown option '(-[^']*)'/.exec(message)?.[1]
    const lacking = /^Option '(?:-\w, )?(--[^' ]*)[^']*' argument (?:is ambiguous|missing)/.exec(message)?.[1]
    const sentence = lacking
      ? `${lacking} needs a value; one that begins with a dash is written ${lacking}=-VALUE.`
      : unknown
        ? `There is no option ${unknown}.${nearest(
            unknown,
            Object.keys(flags).map((flag) => `--${flag}`),
          )}`
        : `${message.split('\n')[0]!.replace(/\.?$/, '')}.`
    throw new UsageError(`${sentence} \`orbweaver ${command.name} --help\` shows all options.`)
  }
}

async function help(name: string | undefined): Promise<number> {
  const command = name === undefined ? undefined : await loadCommand(name)
  return say(command ? commandHelp(command) : programHelp(await loadCommands()))
}

function say(text: string): number {
  terminal.print(text)
  return 0
}

// A reader that went away (`| head`) is not an error: what it wanted is done. A full disk is. A crawl, which listens for
// Ctrl-C, ends in order; everything else has nothing to lose.
process.stdout.once('error', (error: NodeJS.ErrnoException) => {
  isOutputLost = error.code !== 'EPIPE'
  if (isOutputLost) terminal.note(`Standard output cannot be written: ${error.message}.`)
  if (!process.emit('SIGINT')) process.exit(isOutputLost ? 1 : 0)
})
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {})
