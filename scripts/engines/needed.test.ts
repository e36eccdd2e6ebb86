import assert from 'node:assert/strict'
import { test } from 'node:test'
import { engineNames } from './names.ts'
import { enginesNeeded } from './needed.ts'

const neededBy = (files: Readonly<Record<string, string>>, ...tests: string[]) =>
  enginesNeeded(tests, (file) => files[file] ?? '')

test('an engine is needed by a test that asks for it, or whose imports do', () => {
  const files = {
    'src/a/a.test.ts': `import { open } from './helper.ts'`,
    'src/a/helper.ts': `import { deep } from '../b/deep.ts'; const redis = engineFor('redis')`,
    'src/b/deep.ts': `export { x } from '../a/helper.ts'; const { skip } = engineFor('kafka', environment)`,
    'src/c/c.test.ts': `const module = await import('../b/deep.ts')`,
    'src/d/d.test.ts': `import { readFileSync } from 'node:fs'`,
  }
  assert.deepEqual(neededBy(files, 'src/a/a.test.ts'), ['redis', 'kafka'])
  assert.deepEqual(neededBy(files, 'src/c/c.test.ts'), ['redis', 'kafka'])
  assert.deepEqual(neededBy(files, 'src/d/d.test.ts'), [])
})

test('an engine of its own is one that a test needs too: it is brought before the test begins', () => {
  assert.deepEqual(neededBy({ 'a.test.ts': 'await ownEngine(t, startOpenSearch)' }, 'a.test.ts'), ['opensearch'])
  assert.deepEqual(neededBy({ 'a.test.ts': 'await startRedisCluster()' }, 'a.test.ts'), ['redis-cluster'])
})

test('a name that only shows at run time may be any', () => {
  assert.deepEqual(neededBy({ 'a.test.ts': 'engineFor(name)' }, 'a.test.ts'), engineNames)
})

test('to import what offers engines is not to need them', () => {
  const files = {
    'src/a.test.ts': `import { engineFor } from '../test/engines.ts'; engineFor('s3')`,
    'test/engines.ts': `export { startKafka } from '../scripts/engines/kafka.ts'; engineFor(name: EngineName)`,
  }
  assert.deepEqual(neededBy(files, 'src/a.test.ts'), ['s3'])
})

test('an import of a file that is not there is left to the test to complain about', () => {
  assert.deepEqual(enginesNeeded(['src/no-such-file.test.ts']), [])
})
