import { createReadStream } from 'node:fs'
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { S3Config } from '../../engines/s3/config.ts'
import { connectS3, type S3Connection } from '../../engines/s3/connect.ts'
import { faultOf } from '../../engines/s3/fault.ts'
import { putStream } from '../../engines/s3/multipart.ts'
import { objectStore } from '../../engines/s3/objects.ts'
import type { PartStore } from './part-store.ts'

const ONE_REQUEST_BYTES = 16 * 1024 * 1024

/** Parts in a bucket, below the prefix of the settings. Files are spooled in the system's folder for such things. */
export async function openS3Parts(config: S3Config): Promise<PartStore> {
  return s3Parts(await connectS3(config))
}

/** Takes the connection over, and closes it. */
export async function s3Parts(connection: S3Connection): Promise<PartStore> {
  const objects = objectStore(connection)
  const spool = await mkdtemp(join(tmpdir(), 'orbweaver-export-'))
  return {
    spool,
    async put(path, file) {
      const { size } = await stat(file)
      if (size <= ONE_REQUEST_BYTES) await objects.put(path, await readFile(file))
      else await putLarge(connection, path, file)
      await rm(file)
    },
    async *list(folder) {
      for await (const { key } of objects.list(folder)) yield key
    },
    remove: (path) => objects.remove(path),
    async [Symbol.asyncDispose]() {
      connection[Symbol.dispose]()
      await rm(spool, { recursive: true, force: true })
    },
  }
}

const ATTEMPTS = 3

/** The end of an upload whose answer was lost reads, when it is repeated, as if somebody else had ended it. */
async function putLarge(connection: S3Connection, path: string, file: string): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      await putStream(connection, path, createReadStream(file))
      return
    } catch (error) {
      if (faultOf(error) !== 'contested' || attempt === ATTEMPTS) throw error
    }
  }
}
