import { open } from 'node:fs/promises'
import { join } from 'node:path'
import { storageError } from '../../../embedded/storage-error.ts'
import type { ArchivedResponse } from '../../archive.ts'
import { type ReadBytes, readResponse } from '../../archived-response.ts'
import type { WarcPlace } from '../../url-record.ts'

/** Reads one response below the archive's root; needs no more than the files, so it can run beside a crawl. */
export const readArchived = (
  root: string,
  place: WarcPlace,
  maxBodyBytes: number,
): Promise<ArchivedResponse | undefined> => readResponse(bytesBelow(root), place, maxBodyBytes)

export function bytesBelow(root: string): ReadBytes {
  return async ({ file, offset, length }) => {
    if (!staysBelow(file)) return undefined
    const path = join(root, file)
    try {
      await using handle = await open(path, 'r')
      const { bytesRead, buffer } = await handle.read(Buffer.allocUnsafe(length), 0, length, offset)
      return bytesRead === length ? buffer : undefined
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
      throw storageError(path, error)
    }
  }
}

/** A file name may come out of a record that somebody forged. */
const staysBelow = (file: string): boolean =>
  file !== '' && !/^[/\\]|^[a-z]:|\0/i.test(file) && !file.split(/[/\\]/).includes('..')
