import { copyFileSync, createReadStream, createWriteStream, existsSync, mkdirSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { storageError } from '../embedded/storage-error.ts'
import { indexPartPath, indexPath, rebuildIndexPart, writeSortedIndex } from '../store/cdxj-index.ts'

interface ArchiveFile {
  /** Below the archive's root. */
  readonly file: string
  /** What is committed of it. */
  readonly bytes: number
  readonly sealed: boolean
}

/** All files as one: members of gzip follow each other as well across files. Only what was committed is read. */
export async function* warcChunks(root: string, files: readonly ArchiveFile[]): AsyncGenerator<Buffer> {
  for (const { file, bytes } of files) {
    if (bytes > 0) yield* createReadStream(join(root, file), { end: bytes - 1 }) as AsyncIterable<Buffer>
  }
}

/** Copies the archive with an index beside each file; a crawl may go on writing meanwhile. */
export async function exportWarcFiles(root: string, files: readonly ArchiveFile[], folder: string): Promise<void> {
  for (const file of files) {
    const target = join(folder, file.file)
    try {
      mkdirSync(dirname(target), { recursive: true })
      await pipeline(warcChunks(root, [file]), createWriteStream(target))
      exportIndex(join(root, file.file), target, file.sealed)
    } catch (error) {
      throw storageError(target, error)
    }
  }
}

function exportIndex(source: string, target: string, sealed: boolean): void {
  if (sealed && existsSync(indexPath(source))) {
    copyFileSync(indexPath(source), indexPath(target))
    return
  }
  rebuildIndexPart(target)
  writeSortedIndex(target)
  rmSync(indexPartPath(target))
}
