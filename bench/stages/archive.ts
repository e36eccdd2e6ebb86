import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { openFileArchive } from '../../src/store/adapters/files/file-archive.ts'
import { storeConfig } from '../../src/store/config.ts'
import type { Stage, Way } from './measure.ts'
import { openScratch } from './scratch.ts'

const ours: Way = {
  name: 'ours',
  open() {
    const scratch = openScratch()
    const { archive } = openFileArchive({
      root: join(scratch.folder, 'archive'),
      database: scratch.database,
      clock: { now: () => Date.UTC(2025, 0, 31, 12, 30, 15), sleep: async () => {} },
      config: storeConfig.parse({}),
      about: { software: 'orbweaver' },
      findOriginal: async () => undefined,
    })
    return {
      page: ({ exchange, payloadHash }) => archive.append(exchange, payloadHash),
      flush: () => archive.flush(),
      async close() {
        await archive[Symbol.asyncDispose]()
        scratch.close()
      },
    }
  },
}

/** What archiving costs where the body is not kept as it came. */
const recompressing = (level: number): Way => ({
  name: `the body compressed again, gzip ${level}, nothing written`,
  open: () => ({ page: ({ body }) => gzipSync(body, { level }) }),
})

export const archive: Stage = { name: 'archive', ways: async () => [ours, recompressing(1), recompressing(6)] }
