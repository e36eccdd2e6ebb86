import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { test } from 'node:test'

const settings = [
  ['heap-bounds.ts', 'boundHeap'],
  ['patient-compiler.ts', 'compilePatiently'],
] as const

for (const [file, name] of settings)
  test(`while the program is loaded, code that was kept for the flags of before is good: ${name}`, () => {
    const script = `
      import { cachedDataVersionTag } from 'node:v8'
      import { ${name} } from '${new URL(file, import.meta.url).href}'
      const before = cachedDataVersionTag()
      ${name}()
      await new Promise((resolve) => setTimeout(resolve, 100))
      console.log(cachedDataVersionTag() === before)`
    const { stdout } = spawnSync(process.execPath, ['--input-type=module', '--eval', script], { encoding: 'utf8' })
    assert.equal(stdout.trim(), 'true')
  })
