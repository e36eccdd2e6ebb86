/**
 * Checks the API against its own OpenAPI document: Schemathesis, from PyPI, makes up requests, sound ones and others, and
 * compares the answers with what the document promises. Over crawls in a folder and, where the environment names engines
 * (ORBWEAVER_TEST_REDIS_URL, …) or they are to be started (--fleet), over a fleet. Exits with 1 where they differ, or where
 * the server cannot explain an error.
 *
 *   node scripts/schemathesis.ts [--seconds 30] [--fleet]
 *
 * Without Python it says so and does nothing; with ORBWEAVER_TEST_REQUIRE_ENGINES that is a failure.
 */
import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import type { Operations } from '../src/orchestrator/operations.ts'
import { servedWeb } from '../src/server/server.fixture.ts'
import { skipWithout, withRedis } from '../test/fleet/fleet-of-web.ts'
import { cached } from './engines/cache.ts'
import { EngineMissing } from './engines/engine-missing.ts'
import { engineTitles } from './engines/names.ts'
import { startEngines, stopEngines } from './engines/start-engines.ts'
import { findProgram, runTool } from './engines/tool.ts'

const version = '4.32.5'
const token = 'schemathesis-operator'
const { values } = parseArgs({
  options: { seconds: { type: 'string', default: '30' }, fleet: { type: 'boolean', default: false } },
})

/** A server lets its stream of events end where it is asked to. What a document cannot say of a text is answered by 422. */
const settings = `
[parameters]
"path.crawl" = "checked"
"path.pattern" = "shop.test"

[[operations]]
include-operation-id = "followEvents"
parameters = { limit = 1 }

[checks]
negative_data_rejection.expected-statuses = [400, 401, 403, 404, 405, 409, 413, 415, 422, 429]
positive_data_acceptance.expected-statuses = [200, 201, 204, 401, 403, 404, 409, 422]
`

async function bringSchemathesis(python: string): Promise<string> {
  return cached(`schemathesis-${version}`, async (unfinished) => {
    console.error('Bringing Schemathesis from PyPI (once)')
    const pip = ['-m', 'pip', 'install', '--disable-pip-version-check', '-q', '--target', unfinished]
    await runTool('Schemathesis', python, [...pip, `schemathesis==${version}`])
  })
}

/** Whether the API over these operations answers as it promises. */
async function check(python: string, folder: string, open?: () => Promise<Operations>): Promise<boolean> {
  const scratch = mkdtempSync(join(tmpdir(), 'orbweaver-schemathesis-'))
  try {
    const [tokenFile, config] = ['tokens', 'schemathesis.toml'].map((name) => join(scratch, name)) as [string, string]
    writeFileSync(tokenFile, `operator tester ${token}\n`)
    writeFileSync(config, settings)
    const limits = { 'server.tokenFile': tokenFile, 'server.requestsPerSecond': 100_000 }
    await using served = await servedWeb({ settings: limits, token, ...(open && { open }) })
    await served.crawl('checked', ['side', 'nowhere'])
    await served.ended('checked')
    const args = [
      ...['-m', 'schemathesis.cli', '--config-file', config, 'run', `${served.server.url}/v1/openapi.json`],
      ...['--header', `Authorization:Bearer ${token}`, '--phases', 'examples,coverage,fuzzing'],
      ...['--max-examples', '25', '--max-time', values.seconds, '--request-timeout', '20'],
      ...['--seed', '1', '--warnings', 'off', '--continue-on-failure'],
    ]
    const status = await run(python, args, scratch, { PYTHONPATH: folder })
    for (const line of served.logged) console.error(line)
    return status === 0 && served.logged.length === 0
  } finally {
    rmSync(scratch, { recursive: true, force: true })
  }
}

function run(program: string, args: readonly string[], cwd: string, more: Record<string, string>): Promise<number> {
  const child = spawn(program, args, { stdio: 'inherit', cwd, env: { ...process.env, ...more } })
  return new Promise((resolve, reject) => {
    child.on('error', reject)
    child.on('exit', (code) => resolve(code ?? 1))
  })
}

async function checkAll(): Promise<boolean> {
  const python = findProgram(['python3', 'python'])
  if (python === undefined) throw new EngineMissing('Schemathesis needs Python 3 on the PATH.')
  const folder = await bringSchemathesis(python)
  const isWell = await check(python, folder)
  await using _engines = await engines()
  const missing = skipWithout(withRedis)
  if (missing !== false) {
    console.error(`Not over a fleet: ${missing}`)
    return isWell
  }
  // The clients of the engines are loaded only where there are engines.
  const { openTestFleet } = await import('../src/orchestrator/adapters/fleet/test-fleet.ts')
  return (await check(python, folder, openTestFleet)) && isWell
}

/** As tests find them: by the environment. */
async function engines(): Promise<AsyncDisposable> {
  const starts = values.fleet ? await startEngines(withRedis, (line) => console.error(line)) : []
  for (const start of starts) {
    if (start.kind === 'missing') throw new EngineMissing(start.reason)
    process.env[engineTitles[start.name].variable] = start.url
  }
  return { [Symbol.asyncDispose]: () => stopEngines(starts) }
}

try {
  process.exitCode = (await checkAll()) ? 0 : 1
} catch (error) {
  if (!(error instanceof EngineMissing)) throw error
  console.error(error.message)
  process.exitCode = process.env.ORBWEAVER_TEST_REQUIRE_ENGINES ? 1 : 0
}
