#!/usr/bin/env node
import * as module from 'node:module'

// Nothing else is imported here: the cache must be on before the program is loaded, and an old Node must not choke on it.
if (Number(process.versions.node.split('.')[0]) < 24) {
  process.stderr.write(`Orbweaver needs Node 24 or newer; this is ${process.version}.\n`)
  process.exitCode = 2
} else {
  module.enableCompileCache()
  await import('./quiet-sqlite.ts')
  await import('./checked-once.ts')
  const { program } = await import('./program.ts')
  process.exitCode = await program(process.argv.slice(2))
}
