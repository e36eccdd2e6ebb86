import { gzipSync, zstdCompressSync } from 'node:zlib'
import { embeddedRecords } from '../../src/store/adapters/embedded/embedded-records.ts'
import type { UrlRecord } from '../../src/store/url-record.ts'
import { loadFingerprint } from '../../src/url/keys.ts'
import type { Stage, Way } from './measure.ts'
import { renamed } from './samples.ts'
import { openScratch } from './scratch.ts'

const fingerprint = await loadFingerprint()

const ours: Way = {
  name: 'ours',
  open() {
    const { database, close } = openScratch()
    const records = embeddedRecords(database, fingerprint)
    return {
      page(sample, serial) {
        const { record } = renamed(sample, serial)
        const visit = { at: serial, kind: 'page', status: 200, durationMs: 80, bytes: 20_000, detail: '' } as const
        return records.put(record.url, visit, record)
      },
      flush: () => database.commit(),
      close,
    }
  },
}

/** A table keyed by URL, as one would write it first. */
const table = (name: string, encode: (record: UrlRecord) => string | Uint8Array): Way => ({
  name,
  open() {
    const { database, close } = openScratch()
    database.define('CREATE TABLE page (url TEXT PRIMARY KEY, record) WITHOUT ROWID')
    const insert = database.prepare('INSERT INTO page VALUES (?, ?)')
    return {
      page(sample, serial) {
        const { record } = renamed(sample, serial)
        database.write()
        insert.run(record.url, encode(record))
      },
      flush: () => database.commit(),
      close,
    }
  },
})

export const records: Stage = {
  name: 'records',
  ways: async () => [
    ours,
    table('JSON by URL', (record) => JSON.stringify(record)),
    table('JSON in zstd by URL', (record) => zstdCompressSync(JSON.stringify(record))),
    table('JSON in gzip by URL', (record) => gzipSync(JSON.stringify(record), { level: 1 })),
  ],
}
