import { globSync, statSync } from 'node:fs'
import { join } from 'node:path'

/** What a crawl leaves on the disk. */
export interface FolderSize {
  readonly archiveBytes: number
  /** Frontier, records, index and filter. */
  readonly databaseBytes: number
}

export function folderSize(path: string): FolderSize {
  return { archiveBytes: sizeOf(path, 'archive/**/*'), databaseBytes: sizeOf(path, '{crawl.sqlite*,seen.bloom}') }
}

function sizeOf(folder: string, pattern: string): number {
  const files = globSync(pattern, { cwd: folder }).map((file) => statSync(join(folder, file)))
  return files.reduce((sum, file) => sum + (file.isFile() ? file.size : 0), 0)
}
