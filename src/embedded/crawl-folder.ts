import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { UsageError } from '../config/usage-error.ts'
import type { CrawlOrders } from '../crawl-reader.ts'
import { StorageError, storageError } from './storage-error.ts'

/** Raised when an older program could not read what this one writes. */
export const folderFormat = 5

/**
 * A crawl's folder holds everything and can be moved: what the crawl was asked to do (`crawl.json`), its database, the
 * Bloom filter, the archive.
 */
export interface CrawlFolder {
  readonly path: string
  readonly database: string
  readonly filter: string
  readonly archive: string
  readonly orders: CrawlOrders
}

export function createCrawlFolder(path: string, seeds: readonly string[], config: unknown): CrawlFolder {
  refuseFile(path)
  if (existsSync(join(path, 'crawl.json')))
    throw new UsageError(
      `${path} holds a crawl already. Go on with it by \`orbweaver resume --out ${path}\`, delete it, or choose another folder by --out.`,
    )
  if (existsSync(path) && readdirSync(path).length > 0)
    throw new UsageError(`${path} is not empty and holds no crawl. Choose an empty or new folder by --out.`)
  return writeOrders(path, { seeds, config, createdAt: new Date().toISOString() })
}

/** Where a folder is wanted, a file is a mistake. */
export function refuseFile(path: string): void {
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory() === false)
    throw new UsageError(`${path} is a file. Choose a folder by --out.`)
}

/** Takes back what was created, unless a crawl has begun there. */
export function withdrawCrawlFolder({ path, database }: CrawlFolder): void {
  if (existsSync(database)) return
  rmSync(join(path, 'crawl.json'))
  if (readdirSync(path).length === 0) rmdirSync(path)
}

/** Other settings from now on; the seeds stay. */
export function amendCrawlFolder({ path, orders }: CrawlFolder, config: unknown): CrawlFolder {
  return writeOrders(path, { ...orders, config })
}

function writeOrders(path: string, orders: CrawlOrders): CrawlFolder {
  try {
    mkdirSync(path, { recursive: true })
    // Written last and renamed into place: a folder with this file is a whole crawl folder.
    const temporary = join(path, 'crawl.json.new')
    writeFileSync(temporary, `${JSON.stringify({ format: folderFormat, ...orders }, null, 2)}\n`)
    renameSync(temporary, join(path, 'crawl.json'))
  } catch (error) {
    throw storageError(join(path, 'crawl.json'), error)
  }
  return layout(path, orders)
}

export function openCrawlFolder(path: string): CrawlFolder {
  let text: string
  try {
    text = readFileSync(join(path, 'crawl.json'), 'utf8')
  } catch (cause) {
    const what = existsSync(join(path, 'crawl.sqlite'))
      ? `The crawl in ${path} lacks its crawl.json, which says what it was asked to do: put it back.`
      : `There is no crawl in ${path}. Start one by \`orbweaver crawl URL --out ${path}\`.`
    throw new UsageError(what, { cause })
  }
  const { format, ...orders } = parseOrders(path, text)
  if (format !== folderFormat)
    throw new UsageError(
      `The crawl in ${path} has format ${format}; this version of Orbweaver reads format ${folderFormat}. Use the version that made it.`,
    )
  const folder = layout(path, orders)
  refuseWithoutDatabase(folder)
  return folder
}

/** A crawl that was killed at its very beginning has none either, but it has archived nothing. To begin anew would hide the loss. */
function refuseWithoutDatabase({ database, archive }: CrawlFolder): void {
  if ((statSync(database, { throwIfNoEntry: false })?.size ?? 0) > 0 || !existsSync(archive)) return
  if (readdirSync(archive, { recursive: true }).some((name) => String(name).includes('.warc')))
    throw new StorageError(
      'corrupt',
      `${database} is missing or empty, though pages were archived: put it back, or crawl anew into another folder.`,
      undefined,
    )
}

function parseOrders(path: string, text: string): CrawlOrders & { format: unknown } {
  try {
    const value = JSON.parse(text)
    if (Array.isArray(value.seeds)) return value
  } catch (cause) {
    throw new UsageError(`${join(path, 'crawl.json')} is damaged: ${(cause as Error).message}.`, { cause })
  }
  throw new UsageError(`${join(path, 'crawl.json')} is damaged: it names no seeds.`)
}

function layout(path: string, orders: CrawlOrders): CrawlFolder {
  const inside = (name: string) => join(path, name)
  return { path, database: inside('crawl.sqlite'), filter: inside('seen.bloom'), archive: inside('archive'), orders }
}

/**
 * Only one process may crawl in a folder or change it; readers need no lock. The lock is one that the operating system
 * takes back when its holder dies, however it dies (SQLite's, on a file of its own), so that none is ever left over.
 */
export function lockCrawlFolder(folder: CrawlFolder): Disposable {
  const path = join(folder.path, 'lock.sqlite')
  try {
    // Those who only look whether it is held hold it for a moment themselves.
    const lock = new DatabaseSync(path, { timeout: 500 })
    lock.exec('PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE')
    return {
      [Symbol.dispose]() {
        if (lock.isOpen) lock.close()
      },
    }
  } catch (error) {
    const known = storageError(path, error)
    if ('code' in known && known.code === 'busy')
      throw new UsageError(`A crawl is running in ${folder.path}. Wait for it or stop it first.`, { cause: error })
    throw known
  }
}

/** Whether a crawl is running in the folder now. */
export function isLocked(folder: CrawlFolder): boolean {
  const path = join(folder.path, 'lock.sqlite')
  if (!existsSync(path)) return false
  const lock = new DatabaseSync(path, { readOnly: true, timeout: 0 })
  try {
    lock.prepare('SELECT count(*) FROM sqlite_schema').get()
    return false
  } catch (error) {
    const known = storageError(path, error)
    if ('code' in known && known.code === 'busy') return true
    throw known
  } finally {
    lock.close()
  }
}
