import * as z from 'zod'

export const storeConfig = z.strictObject({
  archive: z.boolean().default(true).describe('Keep every exchange in WARC files below the folder of the crawl.'),
  warcFileMib: z
    .number()
    .positive()
    .max(16 * 1024)
    .default(1024)
    .describe('Size in MiB at which a WARC file is sealed and the next one begun.'),
  archiveBufferMib: z
    .number()
    .positive()
    .max(1024)
    .default(8)
    .describe('Archived bytes in MiB that may wait in memory before they are written out.'),
  readLimitMib: z
    .number()
    .positive()
    .max(1024)
    .default(64)
    .describe('Most bytes in MiB that a stored body may have once decoded; what is over it is cut when read.'),
  powerSafe: z
    .boolean()
    .default(false)
    .describe('Survive a power cut, not only a killed process: every commit waits for the disk.'),
})

export type StoreConfig = z.infer<typeof storeConfig>
