import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { servedWeb } from '../src/server/server.fixture.ts'
import { cached } from './engines/cache.ts'
import { findProgram, runTool } from './engines/tool.ts'

/**
 * Checks the API against its own OpenAPI document: Schemathesis, from PyPI, makes up requests and compares the answers with
 * what the document promises. Takes about a minute; exits with 1 where they differ.
 */
const version = '4.32.5'
const seconds = 40

async function schemathesis(): Promise<string> {
  const folder = await cached(`schemathesis-${version}`, async (unfinished) => {
    const python = findProgram(['python3', 'python'])
    if (python === undefined) throw new Error('Schemathesis needs Python 3 on the PATH.')
    console.error('Bringing Schemathesis from PyPI (once)')
    await runTool('Schemathesis', python, [
      ...['-m', 'pip', 'install', '--disable-pip-version-check', '-q'],
      ...['--target', unfinished, `schemathesis==${version}`],
    ])
  })
  return folder
}

const folder = await schemathesis()
const scratch = mkdtempSync(join(tmpdir(), 'orbweaver-schemathesis-'))
const token = 'schemathesis-operator'
const tokenFile = join(scratch, 'tokens')
writeFileSync(tokenFile, `operator tester ${token}\n`)
const config = join(scratch, 'schemathesis.toml')
writeFileSync(
  config,
  `[parameters]
"path.crawl" = "checked"
"path.pattern" = "shop.test"

[checks]
# A body over the limit is refused before it is read.
negative_data_rejection.expected-statuses = [400, 401, 403, 404, 405, 409, 413, 415, 422, 429]
`,
)

await using served = await servedWeb({
  settings: { 'server.tokenFile': tokenFile, 'server.requestsPerSecond': 100_000 },
  token,
})
await served.crawl('checked', ['side', 'nowhere'])
await served.ended('checked')

/**
 * Left out: `positive_data_acceptance`, since a document cannot say that a text is a URL, or a setting known.
 * The stream of events, which does not end, and the preview, which fetches, are checked by the tests.
 */
const status = await new Promise<number>((resolve, reject) => {
  const child = spawn(
    'python3',
    [
      ...['-m', 'schemathesis.cli', '--config-file', config, 'run', `${served.server.url}/v1/openapi.json`],
      ...['--header', `Authorization:Bearer ${token}`, '--exclude-operation-id', 'followEvents'],
      ...['--exclude-operation-id', 'previewScope', '--exclude-checks', 'positive_data_acceptance'],
      ...['--phases', 'examples,coverage,fuzzing', '--max-examples', '25', '--max-time', String(seconds)],
      ...['--seed', '1', '--warnings', 'off', '--continue-on-failure'],
    ],
    { stdio: 'inherit', cwd: scratch, env: { ...process.env, PYTHONPATH: folder } },
  )
  child.on('error', reject)
  child.on('exit', (code) => resolve(code ?? 1))
})
rmSync(scratch, { recursive: true, force: true })
for (const line of served.logged) console.error(line)
process.exitCode = status === 0 && served.logged.length > 0 ? 1 : status
