import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { test } from 'node:test'

const module = new URL('./patient-compiler.ts', import.meta.url).href

/** Which functions V8 took through its last compiler: one that ran once for each of 20,000 pages, and one that loops. */
function compiledLast(before: string): readonly string[] {
  const script = `
    ${before}
    await new Promise((resolve) => setTimeout(resolve, 1100))
    function oncePerPage(page) { return { url: 'u' + page, depth: page % 7, links: [page, page + 1] } }
    function forEachByte(bytes) { let sum = 0; for (let i = 0; i < bytes.length; i++) sum = (sum * 31 + bytes[i]) | 0; return sum }
    const bytes = new Uint8Array(2000)
    let kept = 0
    for (let page = 0; page < 20_000; page++) {
      kept += Reflect.apply(oncePerPage, undefined, [page]).depth + forEachByte(bytes)
      if (page % 100 === 99) await new Promise((resolve) => setTimeout(resolve, 1))
    }`
  const flags = ['--trace-opt', '--input-type=module', '--eval', script]
  const { stdout } = spawnSync(process.execPath, flags, { encoding: 'utf8' })
  return [...stdout.matchAll(/completed compiling \S+ <JSFunction (\w+) .*target TURBOFAN/g)].map(
    ([, name = '']) => name,
  )
}

test('what runs once for a page is left to the second best compiler, what runs for each byte is not', () => {
  const byItself = compiledLast('')
  const patient = compiledLast(`import { compilePatiently } from '${module}'; compilePatiently()`)
  for (const name of ['oncePerPage', 'forEachByte']) assert.ok(byItself.includes(name), `${name} in ${byItself}`)
  assert.ok(patient.includes('forEachByte'), `${patient}`)
  assert.ok(!patient.includes('oncePerPage'), `${patient}`)
})
