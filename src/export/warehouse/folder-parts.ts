import { mkdirSync, readdirSync, rmdirSync, rmSync } from 'node:fs'
import { mkdir, open, rename } from 'node:fs/promises'
import { dirname, join, sep } from 'node:path'
import { storageError } from '../../embedded/storage-error.ts'
import type { PartStore } from './part-store.ts'

/**
 * Parts in a folder. The spool lies inside, since files are moved into place by renaming; its name begins with `_`, which
 * readers of such folders leave out. It belongs to the crawl: what an export that was killed has left there is cleared.
 */
export function folderParts(root: string, crawl: string): PartStore {
  const spools = join(root, '_writing')
  const spool = join(spools, `crawl=${crawl}`)
  attempt(spool, () => {
    rmSync(spool, { recursive: true, force: true })
    mkdirSync(spool, { recursive: true })
  })
  return {
    spool,
    async put(path, file) {
      const target = join(root, path)
      try {
        await mkdir(dirname(target), { recursive: true })
        await synced(file)
        await rename(file, target)
      } catch (error) {
        throw storageError(target, error)
      }
    },
    async *list(folder) {
      const within = join(root, folder)
      const entries = attempt(within, () => entriesOf(within))
      for (const entry of entries) yield folder + entry.split(sep).join('/')
    },
    async remove(path) {
      const target = join(root, path)
      attempt(target, () => {
        rmSync(target, { force: true })
        removeIfEmpty(dirname(target))
      })
    },
    async [Symbol.asyncDispose]() {
      attempt(spool, () => {
        rmSync(spool, { recursive: true, force: true })
        removeIfEmpty(spools)
      })
    },
  }
}

/** A file that is renamed before its bytes are on the disk may be there and empty after a power cut. */
async function synced(path: string): Promise<void> {
  await using file = await open(path, 'r+')
  await file.datasync()
}

function entriesOf(folder: string): string[] {
  try {
    return readdirSync(folder, { recursive: true, encoding: 'utf8', withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name).slice(folder.length))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return []
    throw error
  }
}

function removeIfEmpty(folder: string): void {
  try {
    rmdirSync(folder)
  } catch (error) {
    if (!['ENOTEMPTY', 'EEXIST', 'ENOENT'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error
  }
}

function attempt<T>(path: string, act: () => T): T {
  try {
    return act()
  } catch (error) {
    throw storageError(path, error)
  }
}
