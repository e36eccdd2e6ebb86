import { closeSync, fsyncSync, openSync, readFileSync, renameSync, writeSync } from 'node:fs'
import { type BloomFilter, loadBloom, type SavedBloom } from './bloom.ts'

/** Writes the filter beside `path` and moves it there: a crash leaves the old file or the new one, never a part. */
export function writeBloomFile(path: string, filter: BloomFilter, upTo = 0): void {
  const partial = `${path}.partial`
  const file = openSync(partial, 'w')
  try {
    for (const part of filter.save(upTo)) writeWhole(file, part)
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
  renameSync(partial, path)
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
