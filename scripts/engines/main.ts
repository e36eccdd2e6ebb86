import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { table } from '../../src/cli/terminal.ts'
import { UsageError } from '../../src/config/usage-error.ts'
import { type EngineName, engineNames, engineTitles, isEngineName } from './names.ts'
import { exportLines, fleetSettings, fleetYaml, showStart, variables } from './shown.ts'
import { type Start, startEngines, stopEngines } from './start-engines.ts'

const help = `npm run engines [-- NAME…] [--json] [--write FILE]

Brings and starts the engines of a fleet on 127.0.0.1, and runs until Ctrl-C.
NAME         only these: ${engineNames.join(', ')}
--json       one line of JSON in place of text
--write FILE writes the settings for a crawl there as well (fleet.yaml)

An engine whose variable is set already is used as given:
${engineNames.map((name) => `  ${engineTitles[name].variable}`).join('\n')}
Programs and libraries are kept in ~/.cache/orbweaver-engines (ORBWEAVER_TEST_ENGINES_CACHE).`

const note = (line: string) => void process.stderr.write(`${line}\n`)

interface Wishes {
  readonly names: readonly EngineName[]
  readonly help?: boolean | undefined
  readonly json?: boolean | undefined
  readonly write?: string | undefined
}

const options = { help: { type: 'boolean', short: 'h' }, json: { type: 'boolean' }, write: { type: 'string' } } as const

try {
  const wishes = readWishes()
  if (wishes.help) console.log(help)
  else await runEngines(wishes)
} catch (error) {
  if (!(error instanceof UsageError)) throw error
  note(error.message)
  process.exitCode = error.exitCode
}

function readWishes(): Wishes {
  const { values, positionals } = readArguments()
  const unknown = positionals.filter((name) => !isEngineName(name))
  if (unknown.length > 0)
    throw new UsageError(`Unknown engine ${unknown.join(', ')}; known are ${engineNames.join(', ')}.`)
  return { ...values, names: positionals.length === 0 ? engineNames : positionals.filter(isEngineName) }
}

function readArguments() {
  try {
    return parseArgs({ allowPositionals: true, options })
  } catch (cause) {
    const [sentence] = (cause as Error).message.split('. ')
    throw new UsageError(`${sentence}. See \`npm run engines -- --help\`.`, { cause })
  }
}

async function runEngines({ names, json, write }: Wishes): Promise<void> {
  note(`Starting ${names.map((name) => engineTitles[name].title).join(', ')} on 127.0.0.1 …`)
  // Until all are up nothing waits for Ctrl-C: what was started by then ends with this process.
  const starts = await startEngines(names, note)
  note(`\n${table(starts.map(showStart)).join('\n')}\n`)
  if (starts.every(({ kind }) => kind === 'missing')) {
    process.exitCode = 1
    return
  }
  console.log(json ? asJson(starts) : asText(starts))
  if (write !== undefined) writeFileSync(write, `${fleetYaml(starts)}\n`)
  note('\nRunning. Ctrl-C stops what was started here and removes its data.')
  await askedToStop()
  await stopEngines(starts)
  note('Stopped.')
}

function asText(starts: readonly Start[]): string {
  return [
    '# For tests, in another shell:',
    ...exportLines(starts),
    '',
    '# For a crawl on these engines, fleet.yaml:',
    fleetYaml(starts),
  ].join('\n')
}

function asJson(starts: readonly Start[]): string {
  return JSON.stringify({ environment: variables(starts), settings: fleetSettings(starts) })
}

async function askedToStop(): Promise<void> {
  const alive = setInterval(() => {}, 60_000)
  await Promise.race(['SIGINT', 'SIGTERM', 'SIGHUP'].map((signal) => once(process, signal)))
  clearInterval(alive)
}
