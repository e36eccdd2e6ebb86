import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { test } from 'node:test'

interface Import {
  readonly from: string
  readonly to: string
  /** Gone when types are erased. */
  readonly typeOnly: boolean
  /** Loaded when it is needed. */
  readonly isLazy: boolean
}

const root = resolve(import.meta.dirname, '..')
const isForTests = (path: string) => /\.(test|conformance|fixture)\.ts$|\/test-[^/]+\.ts$/.test(path)
const product = globSync('src/**/*.{ts,tsx}', { cwd: root }).filter((path) => !isForTests(path))
const imports = product.flatMap(importsOf)

function importsOf(from: string): Import[] {
  const text = readFileSync(join(root, from), 'utf8')
  const statements = text.matchAll(
    /^(?:import|export)\s+(type\s)?(?:[^'";]*?\sfrom\s+)?['"]([^'"]+)['"]|\bimport\('([^']+)'\)/gm,
  )
  return [...statements].flatMap(([, type, target, dynamic]) => {
    const path = target ?? dynamic!
    const kind = { typeOnly: type !== undefined, isLazy: target === undefined }
    return path.startsWith('.') ? [{ from, to: join(dirname(from), path), ...kind }] : []
  })
}

/** The imports that break a rule, in words. */
const breaking = (rule: (one: Import) => boolean) =>
  imports.filter((one) => !rule(one)).map(({ from, to }) => `${from} imports ${to}`)

const isUnder = (path: string, ...places: readonly string[]) => places.some((place) => path.startsWith(place))

test('the imports were found', () => {
  assert.ok(imports.length > product.length)
  for (const { from, to } of imports) assert.ok(product.includes(to) || !to.startsWith('src/'), `${from} imports ${to}`)
})

test('url/ imports nothing but itself and the error for wrong usage', () => {
  const mayUrl = ['src/url/', 'src/config/usage-error.ts']
  assert.deepEqual(
    breaking(({ from, to }) => !isUnder(from, 'src/url/') || isUnder(to, ...mayUrl)),
    [],
  )
})

/** Settings of all components are joined, also of those above; events are told to whoever listens. */
const isForAll = (from: string, to: string) =>
  to === 'src/monitor/events.ts' || (from === 'src/config/schema.ts' && to.endsWith('/config.ts'))

test('components do not know the command line, the library or who puts them together', () => {
  const above = [
    'src/cli/',
    'src/bench/',
    'src/library/',
    'src/fleet/',
    'src/monitor/',
    'src/orchestrator/',
    'src/server/',
    'src/app.ts',
    'src/crawl-keeper.ts',
    'src/running-crawl.ts',
    'src/index.ts',
    'src/summary.ts',
  ]
  assert.deepEqual(
    breaking(({ from, to }) => isUnder(from, ...above) || !isUnder(to, ...above) || isForAll(from, to)),
    [],
  )
})

test('command line and library stand side by side', () => {
  assert.deepEqual(
    breaking(({ from, to }) => !(isUnder(from, 'src/library/', 'src/app.ts') && isUnder(to, 'src/cli/'))),
    [],
  )
})

test('an adapter is known to itself and to those who choose adapters', () => {
  const choosing = ['src/app.ts', 'src/embedded/', 'src/fleet/', 'src/reading/open-page-reader.ts', 'src/cli/']
  const folderOf = (path: string) => /^src\/[^/]+\/adapters\/[^/]+\//.exec(path)?.[0]
  assert.deepEqual(
    breaking(({ from, to }) => {
      const adapter = folderOf(to)
      return adapter === undefined || from.startsWith(adapter) || isUnder(from, ...choosing)
    }),
    [],
  )
})

test('the product imports no test, and of the webs for tests only what demo and benchmark crawl', () => {
  const mayReach = (from: string) => (from === 'src/cli/commands/demo.ts' ? 'test/web/' : 'bench/site/')
  const mayCrawl = ['src/cli/commands/demo.ts', 'src/bench/']
  assert.deepEqual(
    breaking(({ from, to }) => {
      if (to.startsWith('src/')) return !isForTests(to)
      return isUnder(from, ...mayCrawl) && to.startsWith(mayReach(from))
    }),
    [],
  )
})

test('a worker loads the client of Kafka only where there is Kafka', () => {
  const next = Map.groupBy(
    imports.filter(({ typeOnly, isLazy }) => !typeOnly && !isLazy),
    ({ from }) => from,
  )
  const loaded = new Set(['src/fleet/fleet.ts', 'src/fleet/fleet-worker.ts'])
  for (const path of loaded) for (const { to } of next.get(path) ?? []) loaded.add(to)
  assert.ok(loaded.has('src/engines/redis/connect.ts'))
  assert.deepEqual(
    [...loaded].filter((path) => importsKafka(path)),
    [],
  )
})

function importsKafka(path: string): boolean {
  return /^import (?!type).*'@platformatic\/kafka'/m.test(readFileSync(join(root, path), 'utf8'))
}

test('modules do not import each other in a circle', () => {
  const targets = new Map<string, string[]>()
  for (const { from, to, typeOnly } of imports) if (!typeOnly) targets.set(from, [...(targets.get(from) ?? []), to])
  const done = new Set<string>()
  const circles: string[] = []
  const walk = (path: string, trail: readonly string[]) => {
    if (trail.includes(path)) circles.push([...trail.slice(trail.indexOf(path)), path].join(' → '))
    if (done.has(path) || trail.includes(path)) return
    for (const target of targets.get(path) ?? []) walk(target, [...trail, path])
    done.add(path)
  }
  for (const path of product) walk(path, [])
  assert.deepEqual(circles, [])
})
