import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Database, openDatabase } from '../../../embedded/database.ts'
import type { Exchange } from '../../../fetch/outcome.ts'
import { sha256Hex } from '../../archive.conformance.ts'
import { type StoreConfig, storeConfig } from '../../config.ts'
import type { WarcPlace } from '../../url-record.ts'
import type { LostRange } from './catalog.ts'
import { openFileArchive } from './file-archive.ts'

/** A crawl's folder on disk in which tests open, kill and damage the archive as they like. */
export class ArchiveFolder implements Disposable {
  readonly folder: string
  readonly root: string
  now = Date.UTC(2025, 0, 31, 12)
  private readonly known = new Map<string, WarcPlace>()
  private readonly ownsFolder: boolean

  constructor(folder?: string) {
    this.ownsFolder = folder === undefined
    this.folder = folder ?? mkdtempSync(join(tmpdir(), 'orbweaver-archive-'))
    this.root = join(this.folder, 'archive')
  }

  open(config: Partial<StoreConfig> = {}) {
    const database = openDatabase(join(this.folder, 'crawl.db'), { commitEveryMs: 3_600_000 })
    const clock = { now: () => this.now, sleep: async () => {} }
    const opened = openFileArchive({
      root: this.root,
      database,
      clock,
      config: storeConfig.parse(config),
      about: { software: 'orbweaver/0.0.0-test', robots: 'obey' },
      findOriginal: async (url, fetchedAt) => this.known.get(`${url} ${fetchedAt}`),
    })
    return new OpenFolder(this, database, opened)
  }

  remember(exchange: Exchange, place: WarcPlace): void {
    this.known.set(`${exchange.url} ${exchange.startedAt}`, place)
  }

  /** Names below the archive's root. */
  files(): readonly string[] {
    const names = readdirSync(this.root, { recursive: true, withFileTypes: true })
    return names
      .filter((entry) => entry.isFile())
      .map((entry) => entry.name)
      .sort()
  }

  path(place: Pick<WarcPlace, 'file'>): string {
    return join(this.root, place.file)
  }

  member({ file, offset, length }: WarcPlace): Buffer {
    return readFileSync(this.path({ file })).subarray(offset, offset + length)
  }

  /** What `kill -9` would leave at this moment: a copy of the folder, in the middle of whatever is under way. */
  killed(): ArchiveFolder {
    const copy = new ArchiveFolder()
    cpSync(this.folder, copy.folder, { recursive: true })
    copy.now = this.now
    for (const [key, place] of this.known) copy.known.set(key, place)
    return copy
  }

  [Symbol.dispose](): void {
    if (this.ownsFolder) rmSync(this.folder, { recursive: true, force: true })
  }
}

export class OpenFolder {
  readonly lost: readonly LostRange[]
  readonly archive
  readonly database: Database
  readonly forgetLost: () => void
  private readonly folder: ArchiveFolder

  constructor(folder: ArchiveFolder, database: Database, opened: ReturnType<typeof openFileArchive>) {
    this.folder = folder
    this.database = database
    this.archive = opened.archive
    this.lost = opened.lost
    this.forgetLost = opened.forgetLost
  }

  async store(exchange: Exchange, original?: Exchange): Promise<WarcPlace> {
    const revisitOf = original && { url: original.url, fetchedAt: original.startedAt }
    const place = await this.archive.append(exchange, sha256Hex(exchange.rawBody), revisitOf)
    this.folder.remember(exchange, place)
    return place
  }

  async close(): Promise<void> {
    await this.archive[Symbol.asyncDispose]()
    this.database[Symbol.dispose]()
  }
}
