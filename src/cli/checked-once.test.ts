import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { test } from 'node:test'

/** How often code is made from strings while settings are checked. */
function functionsMade(first: string): number {
  const script = `
    let made = 0
    globalThis.Function = new Proxy(Function, { construct: (target, args) => (made++, new target(...args)) })
    ${first}
    const { loadConfig } = await import(${JSON.stringify(import.meta.resolve('../config/load.ts'))})
    loadConfig()
    console.log(made)`
  const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '--eval', script], {
    encoding: 'utf8',
  })
  assert.match(stdout, /^\d+\s*$/, stderr)
  return Number(stdout)
}

test('settings are checked without making code for that', () => {
  assert.equal(functionsMade(`await import(${JSON.stringify(import.meta.resolve('./checked-once.ts'))})`), 0)
  assert.ok(functionsMade('') > 0, 'without it zod makes code')
})
