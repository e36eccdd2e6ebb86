import { closeSync, fdatasync, fdatasyncSync, fsyncSync, mkdirSync, openSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { storageError } from '../../../embedded/storage-error.ts'
import { indexPartPath, writeSortedIndex } from '../../cdxj-index.ts'
import type { FileState } from './catalog.ts'
import { GrowingFile } from './growing-file.ts'

const fdatasyncLater = promisify(fdatasync)

/** The WARC file that is being written, with the lines of its index: both grow, and are committed, together. */
export class GrowingWarc {
  readonly file: string
  /** The warcinfo record that this run's records belong to. */
  readonly warcinfoId: string
  private readonly path: string
  private readonly warc: GrowingFile
  private readonly index: GrowingFile
  private syncedBytes: number
  private syncing: Promise<void> | undefined
  private sealed = false

  constructor(root: string, state: FileState, warcinfoId: string) {
    this.file = state.file
    this.warcinfoId = warcinfoId
    this.path = join(root, state.file)
    this.warc = new GrowingFile(this.path, openSync(this.path, 'r+'), state.bytes)
    const part = indexPartPath(this.path)
    this.index = new GrowingFile(part, openSync(part, 'r+'), state.indexBytes)
    this.syncedBytes = state.syncedBytes
  }

  get bytes(): number {
    return this.warc.bytes
  }

  get indexBytes(): number {
    return this.index.bytes
  }

  get pendingBytes(): number {
    return this.warc.pendingBytes + this.index.pendingBytes
  }

  get unsyncedBytes(): number {
    return this.warc.bytes - this.syncedBytes
  }

  /** Nothing is left to confirm or under way: it may be closed. */
  get isSettled(): boolean {
    return this.unsyncedBytes === 0 && !this.syncing
  }

  /** Answers where the member begins. */
  append(member: readonly Buffer[]): number {
    const offset = this.warc.bytes
    for (const part of member) this.warc.append(part)
    return offset
  }

  addToIndex(line: string): void {
    this.index.append(Buffer.from(`${line}\n`))
  }

  writeOut(): void {
    this.warc.writeOut()
    this.index.writeOut()
  }

  /** What may be committed now: everything must have been written out. */
  state(): FileState {
    return {
      file: this.file,
      bytes: this.warc.bytes,
      indexBytes: this.index.bytes,
      syncedBytes: this.syncedBytes,
      sealed: this.sealed,
    }
  }

  seal(): void {
    this.writeOut()
    this.sortIndex()
    this.sealed = true
  }

  sortIndex(): void {
    sortIndex(this.path)
  }

  syncNow(): void {
    guarded(this.path, () => fdatasyncSync(this.warc.fd))
    this.syncedBytes = this.warc.bytes
  }

  /** Asks the disk to confirm what is on file, beside the crawl. A call while another is under way joins it. */
  syncLater(): Promise<void> {
    const bytes = this.warc.bytes - this.warc.pendingBytes
    this.syncing ??= fdatasyncLater(this.warc.fd)
      .then(
        () => void (this.syncedBytes = Math.max(this.syncedBytes, bytes)),
        (error) => {
          throw storageError(this.path, error)
        },
      )
      .finally(() => {
        this.syncing = undefined
      })
    return this.syncing
  }

  async syncFully(): Promise<void> {
    while (!this.isSettled) await this.syncLater()
  }

  close(): void {
    closeSync(this.warc.fd)
    closeSync(this.index.fd)
  }
}

export const sortIndex = (warcPath: string): void => guarded(warcPath, () => writeSortedIndex(warcPath))

function guarded(path: string, act: () => void): void {
  try {
    act()
  } catch (error) {
    throw storageError(path, error)
  }
}

/** Makes the empty file and its index part. `undefined`: the name is taken. */
export function createWarcFile(root: string, file: string, powerSafe: boolean): FileState | undefined {
  const path = join(root, file)
  try {
    mkdirSync(dirname(path), { recursive: true })
    closeSync(openSync(path, 'wx'))
    closeSync(openSync(indexPartPath(path), 'w'))
    if (powerSafe) for (const folder of [dirname(path), root]) syncFolder(folder)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return undefined
    throw storageError(path, error)
  }
  return { file, bytes: 0, indexBytes: 0, syncedBytes: 0, sealed: false }
}

function syncFolder(folder: string): void {
  const fd = openSync(folder, 'r')
  try {
    fsyncSync(fd)
  } finally {
    closeSync(fd)
  }
}
