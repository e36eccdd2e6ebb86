/**
 * Early releases of Node 24 warn that SQLite is experimental, which a user of the program can do nothing about. This one
 * warning is left out; to be imported before anything that imports `node:sqlite`.
 */
const emitWarning = process.emitWarning

process.emitWarning = ((warning: string | Error, ...rest: unknown[]) => {
  const isAboutSqlite = rest[0] === 'ExperimentalWarning' && String(warning).startsWith('SQLite ')
  if (!isAboutSqlite) Reflect.apply(emitWarning, process, [warning, ...rest])
}) as typeof process.emitWarning
