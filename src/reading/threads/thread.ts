import * as module from 'node:module'

// Nothing else is imported here: the cache must be on before the rest is loaded.
module.enableCompileCache()
const { obey } = await import('./obey.ts')
obey()
