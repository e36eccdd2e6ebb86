import { closeSync, fsyncSync, openSync, readFileSync, renameSync, rmSync, writeSync } from 'node:fs'
import { type BloomFilter, loadBloom, type SavedBloom } from './bloom.ts'

/** Writes the filter beside `path` and moves it there: a crash leaves the old file or the new one, never a part. */
export function writeBloomFile(path: string, filter: BloomFilter, upTo = 0): void {
  const partial = `${path}.partial`
  try {
    writeParts(partial, filter.save(upTo))
    renameSync(partial, path)
  } catch (error) {
    // On a full disk it would take the room that others need.
    rmSync(partial, { force: true })
    throw error
  }
}

function writeParts(path: string, parts: readonly Uint8Array[]): void {
  const file = openSync(path, 'w')
  try {
    for (const part of parts) writeWhole(file, part)
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
}

/** `undefined`: there is none, or it is damaged. What cannot be read for another reason is thrown. */
export function readBloomFile(path: string): SavedBloom | undefined {
  try {
    return loadBloom(readFileSync(path))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

function writeWhole(file: number, bytes: Uint8Array): void {
  for (let at = 0; at < bytes.length; ) at += writeSync(file, bytes, at, Math.min(bytes.length - at, 2 ** 26))
}
