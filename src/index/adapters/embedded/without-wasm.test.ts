import { globSync } from 'node:fs'

/** An index answers the same without WebAssembly. */
process.env.ORBWEAVER_NO_WASM = '1'
const isOfBoth = (file: string) => file === 'word-table.test.ts' || file === 'without-wasm.test.ts'
for (const file of globSync('*.test.ts', { cwd: import.meta.dirname }).sort())
  if (!isOfBoth(file)) await import(`./${file}`)
