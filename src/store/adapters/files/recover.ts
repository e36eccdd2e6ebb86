import {
  closeSync,
  existsSync,
  fdatasyncSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
} from 'node:fs'
import { join } from 'node:path'
import { storageError } from '../../../embedded/storage-error.ts'
import {
  indexPartPath,
  indexPath,
  rebuildIndexPart,
  recordOffsetFrom,
  recoverIndexPart,
  removeIndex,
  removeUnfinishedIndex,
  writeSortedIndex,
} from '../../cdxj-index.ts'
import { readMembers } from '../../warc-reader.ts'
import type { Catalog, FileState } from './catalog.ts'
import { isArchiveName } from './file-name.ts'

/**
 * Makes the files agree with the catalog again, before anything is appended: what was never committed is cut off; what
 * was committed but did not survive is cut at the last good member, recorded as lost, and its file sealed, so that no
 * later record can take the place of a lost one.
 */
export function recoverFiles(root: string, catalog: Catalog): void {
  const known = catalog.files()
  for (const state of known) recoverFile(root, catalog, state)
  setAsideUnknown(root, new Set(known.map((state) => state.file)))
}

function recoverFile(root: string, catalog: Catalog, state: FileState): void {
  const path = join(root, state.file)
  try {
    removeUnfinishedIndex(path)
    const fileBytes = existsSync(path) ? statSync(path).size : 0
    const goodBytes = intactBytes(path, fileBytes, state)
    if (goodBytes < state.bytes) cutDamaged(catalog, path, state, goodBytes)
    else keepIntact(catalog, path, state, fileBytes)
  } catch (error) {
    throw storageError(path, error)
  }
}

/** A file that goes on growing is not trusted at its end, whatever the disk has confirmed. */
const DOUBTED_BYTES = 4 * 1024 * 1024

/** Up to where the members are good. What the disk has confirmed long ago is not read again unless the file is too short. */
function intactBytes(path: string, fileBytes: number, state: FileState): number {
  const end = Math.min(fileBytes, state.bytes)
  if (end < state.syncedBytes) return goodUpTo(path, 0, end)
  const doubted = state.sealed ? end : (recordOffsetFrom(path, end - DOUBTED_BYTES) ?? 0)
  const from = Math.min(state.syncedBytes, doubted)
  const good = goodUpTo(path, from, end)
  // Nothing good at all: perhaps it is the index that told a wrong place to begin.
  return good > from || from === end ? good : goodUpTo(path, 0, end)
}

function goodUpTo(path: string, from: number, end: number): number {
  if (from >= end) return end
  const fd = openSync(path, 'r')
  try {
    let good = from
    for (const { offset, length } of readMembers(fd, from, end)) good = offset + length
    return good
  } finally {
    closeSync(fd)
  }
}

function cutDamaged(catalog: Catalog, path: string, state: FileState, goodBytes: number): void {
  catalog.addLost({ file: state.file, fromOffset: goodBytes, toOffset: state.bytes })
  if (goodBytes === 0) {
    setAside(path, 'damaged')
    catalog.remove(state.file)
    return
  }
  truncateSync(path, goodBytes)
  const indexBytes = rebuildIndexPart(path)
  writeSortedIndex(path)
  catalog.save({ file: state.file, bytes: goodBytes, indexBytes, syncedBytes: goodBytes, sealed: true })
}

function keepIntact(catalog: Catalog, path: string, state: FileState, fileBytes: number): void {
  if (fileBytes > state.bytes) truncateSync(path, state.bytes)
  const indexBytes = recoverIndex(path, state)
  if (state.syncedBytes === state.bytes && indexBytes === state.indexBytes) return
  sync(path)
  catalog.save({ ...state, indexBytes, syncedBytes: state.bytes })
}

function recoverIndex(path: string, state: FileState): number {
  if (state.sealed && existsSync(indexPath(path))) {
    rmSync(indexPartPath(path), { force: true })
    return state.indexBytes
  }
  const indexBytes = recoverIndexPart(path, state.indexBytes) ? state.indexBytes : rebuildIndexPart(path)
  if (state.sealed) writeSortedIndex(path)
  return indexBytes
}

function sync(path: string): void {
  const fd = openSync(path, 'r+')
  try {
    fdatasyncSync(fd)
  } finally {
    closeSync(fd)
  }
}

/** Files that were begun but never committed, or that somebody put there. */
function setAsideUnknown(root: string, known: ReadonlySet<string>): void {
  for (const file of archiveFiles(root)) if (!known.has(file)) setAside(join(root, file), 'orphan')
}

/** Kept for whoever wants to look, but out of the archive's way. What was made from the file goes, as does an empty one. */
function setAside(path: string, because: 'orphan' | 'damaged'): void {
  removeIndex(path)
  if (!existsSync(path)) return
  if (statSync(path).size === 0) rmSync(path)
  else renameSync(path, `${path}.${because}`)
}

/** Every file that bears a name of ours, in the order of its making. */
export function archiveFiles(root: string): readonly string[] {
  if (!existsSync(root)) return []
  const days = readdirSync(root).filter((name) => /^\d{4}-\d\d-\d\d$/.test(name))
  return days
    .flatMap((day) => readdirSync(join(root, day)).map((name) => `${day}/${name}`))
    .filter(isArchiveName)
    .sort()
}
