import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join, resolve } from 'node:path'
import { after, before, test } from 'node:test'
import { version } from '../../src/version.ts'

const root = resolve(import.meta.dirname, '../..')
let folder: string
let packed: readonly string[]

/** The oldest Node that the package promises to run on, from the registry; else the one that runs this. */
let oldestNode: string | undefined

before(() => {
  folder = mkdtempSync(join(tmpdir(), 'orbweaver-package-'))
  writeFileSync(join(folder, 'package.json'), '{ "name": "consumer", "private": true, "type": "module" }\n')
  const [{ filename, files }] = JSON.parse(run('npm', ['pack', '--json', '--pack-destination', folder], root).stdout)
  packed = files.map(({ path }: { path: string }) => path)
  run('npm', ['install', '--no-audit', '--no-fund', '--prefer-offline', `./${filename}`])
  const { status } = attempt('npm', [
    'install',
    '--no-audit',
    '--no-fund',
    '--prefer-offline',
    '--no-save',
    'node@24.0.0',
  ])
  if (status === 0) oldestNode = join(folder, 'node_modules/.bin')
})
after(() => rmSync(folder, { recursive: true, force: true }))

/** Without the settings that `npm test` hands down, as in a shell of its own. */
function ownEnvironment(): NodeJS.ProcessEnv {
  const own = Object.entries(process.env).filter(([name]) => !/^(npm_|NODE_TEST_|NODE_OPTIONS)/i.test(name))
  const path = [...(oldestNode ? [oldestNode] : []), process.env.PATH].join(delimiter)
  return { ...Object.fromEntries(own), PATH: path }
}

function attempt(command: string, args: readonly string[], cwd = folder) {
  return spawnSync(command, args, { cwd, encoding: 'utf8', env: ownEnvironment() })
}

function run(command: string, args: readonly string[], cwd = folder) {
  const result = attempt(command, args, cwd)
  assert.equal(result.status, 0, `${command} ${args.join(' ')}: ${result.error ?? result.stderr}`)
  return result
}

test('the package holds no tests, sources or leftovers', () => {
  const unwanted = packed.filter((path) =>
    /\.(test|conformance|fixture)\.|(?<!\.d)\.ts$|node_modules|tsbuildinfo/.test(path),
  )
  assert.deepEqual(unwanted, [])
  for (const wanted of [
    'LICENSE',
    'dist/program/main.js',
    'dist/program/thread.js',
    'dist/program/LICENSE.zod',
    'dist/program/LICENSE.tldts',
    'dist/program/LICENSE.xxhash-wasm',
    'dist/src/cli/main.js',
    'dist/src/index.d.ts',
    'dist/test/web/main.js',
    'dist/bench/site/main.js',
    'dist/src/fetch/http/wasm/inflater.wasm',
    'dist/src/parse/wasm/page-scanner.wasm',
    'dist/src/parse/language-tables.bin',
    'dist/src/server/dashboard/built/index.html',
    'dist/src/server/dashboard/built/app.js',
    'dist/src/server/dashboard/built/app.css',
  ])
    assert.ok(packed.includes(wanted), wanted)
})

test('what a crawl needs lies in few files, and what a thread needs comes without the rest', () => {
  const program = join(folder, 'node_modules/orbweaver/dist/program')
  const chunk = (name: string) => packed.find((path) => path.startsWith(`dist/program/${name}-`))!.slice(13)
  const loaded = (file: string, files = new Set<string>()) => {
    if (files.has(file)) return files
    files.add(file)
    for (const [, next] of readFileSync(join(program, file), 'utf8').matchAll(/^(?:import |} from )"\.\/(.+)"/gm))
      loaded(next!, files)
    return files
  }
  const crawl = loaded(chunk('crawl'))
  const thread = loaded(chunk('obey'))
  const bytes = (files: ReadonlySet<string>) =>
    [...files].reduce((sum, file) => sum + readFileSync(join(program, file)).length, 0)
  assert.ok(crawl.size < 30, `${crawl.size} files`)
  assert.ok(bytes(thread) < 0.7 * bytes(crawl), `${bytes(thread)} of ${bytes(crawl)} bytes`)
})

test('npx orbweaver tells its version', () => {
  assert.equal(run('npx', ['orbweaver', '--version']).stdout.trim(), version)
})

test('npx orbweaver demo crawls and searches on the oldest Node, without a warning', (t) => {
  t.diagnostic(run('node', ['--version']).stdout)
  const { stdout, stderr } = run('npx', ['orbweaver', 'demo'])
  assert.match(stdout, /lighthouses\.test/)
  assert.match(stderr, /Finished: \d+ pages/)
  assert.doesNotMatch(stderr, /Warning/)
})

test('orbweaver serve shows the dashboard that the package brings, on the oldest Node', async () => {
  const args = ['serve', '--out', 'served', '--listen', '127.0.0.1:0']
  const server = spawn(join(folder, 'node_modules/.bin/orbweaver'), args, { cwd: folder, env: ownEnvironment() })
  try {
    let told = ''
    while (!told.includes('http://')) told += (await once(server.stderr, 'data'))[0]
    const url = /http:\/\/[\d.:]+/.exec(told)![0]
    const [document, script] = await Promise.all(['/', '/app.js'].map(async (path) => (await fetch(url + path)).text()))
    assert.match(document!, /<script type="module" src="\/app.js">/)
    assert.match(script!, /Contains Preact/)
  } finally {
    server.kill('SIGTERM')
    await once(server, 'exit')
  }
})

test('npx orbweaver bench crawls its site with exact counts, and tells the stages apart', () => {
  const { stdout } = run('npx', ['orbweaver', 'bench', '--smoke', '--pages', '40', '--json'])
  const { requests, stages } = JSON.parse(stdout)
  assert.equal(requests, 41)
  assert.ok(stages.find(({ stage }: { stage: string }) => stage === 'parse').cpuMsPerPage > 0)
})

test('a program imports the library by its name', () => {
  const program = `
    import { crawl, UsageError } from 'orbweaver'
    await crawl({ seeds: [] }).summary().catch((error) => console.log(error instanceof UsageError))`
  assert.equal(run('node', ['--input-type=module', '--eval', program]).stdout.trim(), 'true')
})

test('a typed program compiles against the types of the package, in the strictest mode', () => {
  copyFileSync(join(import.meta.dirname, 'consumer.ts.txt'), join(folder, 'consumer.ts'))
  const compilerOptions = {
    ...{ module: 'nodenext', target: 'es2024', lib: ['es2024', 'esnext.disposable'], noEmit: true },
    ...{ strict: true, exactOptionalPropertyTypes: true, skipLibCheck: false },
    ...{ types: ['node'], typeRoots: [join(root, 'node_modules/@types')] },
  }
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['consumer.ts'] }))
  const { stdout, status } = attempt(join(root, 'node_modules/.bin/tsc'), ['-p', folder])
  assert.equal(status, 0, stdout)
})
