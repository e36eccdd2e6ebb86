import { globSync } from 'node:fs'

/** All that the tests of this folder ask for holds without WebAssembly too. */
process.env.ORBWEAVER_NO_WASM = '1'
for (const file of globSync('*.test.ts', { cwd: import.meta.dirname }).sort())
  if (file !== 'without-wasm.test.ts') await import(`./${file}`)
