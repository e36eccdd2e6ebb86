import { dirname } from 'node:path'

export type StorageFault = 'disk-full' | 'corrupt' | 'busy' | 'denied' | 'io'

/** The crawl's folder cannot be read or written. What was committed before is intact. */
export class StorageError extends Error {
  readonly code: StorageFault

  constructor(code: StorageFault, message: string, cause: unknown) {
    super(message, { cause })
    this.name = 'StorageError'
    this.code = code
  }
}

/** SQLITE_IOERR_SHMSIZE: the file of shared memory beside the log cannot grow. */
const ioErrorShmSize = 4874

/** SQLite and file system faults → our words. */
export function storageError(path: string, error: unknown): Error {
  if (error instanceof StorageError || !(error instanceof Error)) return error as Error
  const { errcode, code } = error as { errcode?: number; code?: string }
  const sqlite = errcode === undefined ? undefined : errcode & 0xff
  const folder = dirname(path)
  if (sqlite === 13 || errcode === ioErrorShmSize || code === 'ENOSPC' || code === 'EDQUOT')
    return new StorageError(
      'disk-full',
      `No space left for ${folder}. Free some and run the command again (for a crawl \`orbweaver resume\`): all that was committed is safe.`,
      error,
    )
  if (sqlite === 11 || sqlite === 26)
    return new StorageError('corrupt', `${path} is damaged or not a database of Orbweaver: ${error.message}.`, error)
  if (sqlite === 5 || sqlite === 6) return new StorageError('busy', `${path} is in use by another process.`, error)
  if (sqlite === 8 || sqlite === 14 || sqlite === 23 || code === 'EACCES' || code === 'EPERM' || code === 'EROFS')
    return new StorageError('denied', `${path} cannot be opened or written: ${error.message}.`, error)
  if (sqlite === 10 || /^E[A-Z0-9]+$/.test(code ?? ''))
    return new StorageError('io', `${path}: ${error.message}.`, error)
  return error
}

/** Of several faults the first: those of closing what it had broken tell nothing new. */
export function firstFault(error: unknown): unknown {
  let first = error
  while (first instanceof SuppressedError) first = first.suppressed
  return first
}
