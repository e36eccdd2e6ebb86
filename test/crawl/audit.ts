import { closeSync, existsSync, openSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { CrawlReader } from '../../src/crawl-reader.ts'
import { contentHash as contentHashOf } from '../../src/dedup/content-hash.ts'
import type { CrawlFolder } from '../../src/embedded/crawl-folder.ts'
import { openReader } from '../../src/embedded/open-reader.ts'
import { isSearchable } from '../../src/index/search-document.ts'
import { archiveFiles } from '../../src/store/adapters/files/recover.ts'
import { parseWarcRecord } from '../../src/store/warc-parse.ts'
import { readMembers } from '../../src/store/warc-reader.ts'
import { tallyOf } from '../../src/worker/tally.ts'
import type { Expected } from '../web/expected.ts'
import { differences } from './expectation.ts'

/**
 * Everything that is wrong in the folder of a crawl of the test web that ran to its end, in words. `hadLoss`: the archive
 * has lost answers that are still remembered as visits.
 */
export async function faultsIn(folder: CrawlFolder, expected: Expected, hadLoss = false): Promise<string[]> {
  await using reader = await openReader(folder)
  return [
    ...(await differences(reader, expected)),
    ...bookkeepingFaults(folder),
    ...(await tallyFaults(reader)),
    ...(await archiveFaults(folder, reader, hadLoss)),
    ...(await indexFaults(folder, reader, expected)),
  ]
}

/** Counters against what they count, for each host: admitted = queued + done + excluded + dead, and nothing is queued. */
function bookkeepingFaults(folder: CrawlFolder): string[] {
  using database = openReadOnly(folder)
  const [integrity] = database.prepare('PRAGMA integrity_check').all()
  const found = integrity?.integrity_check === 'ok' ? [] : [`the database is damaged: ${integrity?.integrity_check}`]
  const rows = database
    .prepare(
      `SELECT h.key, h.queued, h.done, h.excluded, h.dead, sum(state = 0) AS q, sum(state = 1) AS d,
         sum(state = 2) AS e, sum(state = 3) AS x FROM host h LEFT JOIN url u ON u.host = h.id GROUP BY h.id`,
    )
    .all()
  for (const { key, queued, done, excluded, dead, q, d, e, x } of rows) {
    if (queued !== q || done !== d || excluded !== e || dead !== x)
      found.push(`${key} counts ${[queued, done, excluded, dead]} but has ${[q, d, e, x]}`)
    if (queued !== 0) found.push(`${key} has ${queued} URLs left`)
  }
  const twice = database.prepare('SELECT url, count(*) AS n FROM url GROUP BY url HAVING n > 1').all()
  return [...found, ...twice.map(({ url, n }) => `${url} was admitted ${n} times`)]
}

/** Sums of settled visits against the records that they left. */
export async function tallyFaults(reader: CrawlReader): Promise<string[]> {
  const counted = { pages: 0, redirects: 0, duplicates: 0, nearDuplicates: 0 }
  for await (const { kind, duplicateOf, nearDuplicateOf } of reader.records.scan()) {
    if (kind === 'page') counted.pages++
    if (kind === 'redirect') counted.redirects++
    if (duplicateOf) counted.duplicates++
    if (nearDuplicateOf) counted.nearDuplicates++
  }
  const tally = tallyOf(await reader.ledger.sums())
  return (Object.keys(counted) as (keyof typeof counted)[])
    .filter((name) => tally[name] !== counted[name])
    .map((name) => `the tally says ${tally[name]} ${name}, there are ${counted[name]}`)
}

/** Each settled visit has one record in the archive, readable at its place; the files hold nothing else. */
async function archiveFaults(folder: CrawlFolder, reader: CrawlReader, hadLoss: boolean): Promise<string[]> {
  const found: string[] = []
  const stored = new Map<string, number>()
  const ids = new Set<string>()
  let listed = 0
  for (const file of archiveFiles(folder.archive)) {
    const path = join(folder.archive, file)
    for (const { type, url, id } of recordsIn(path, found)) {
      if (ids.has(id)) found.push(`the archive has ${id} twice`)
      ids.add(id)
      if (type !== 'response' && type !== 'revisit') continue
      stored.set(url, (stored.get(url) ?? 0) + 1)
      listed--
    }
    const index = path.replace('.warc.gz', '.cdxj')
    listed += existsSync(index) ? readFileSync(index, 'latin1').split('\n').length - 1 : 0
  }
  if (listed !== 0) found.push(`the CDXJ files have ${listed} lines more than the archive has responses`)
  for await (const record of reader.records.scan()) {
    const answered = (await reader.records.visits(record.url)).filter(({ kind }) => kind !== 'failed').length
    const copies = stored.get(record.url) ?? 0
    if (copies > answered || (copies < answered && !hadLoss))
      found.push(`${record.url} was answered ${answered} times and stored ${copies} times`)
    stored.delete(record.url)
  }
  for (const [url] of stored) if (!url.endsWith('/robots.txt')) found.push(`${url} is stored without a record`)
  return [...found, ...(await readingFaults(reader))]
}

/** What each record refers to is in the archive, as it was received. */
export async function readingFaults({ records, archive }: CrawlReader): Promise<string[]> {
  return faultsOfEach(records.scan(), async (record) => {
    const { url, warc, status, contentHash } = record
    const response = warc && (await archive.read(warc))
    if (!response) return [`${url} cannot be read at ${JSON.stringify(warc)}`]
    if (response.status !== status) return [`${url} has status ${response.status} in the archive`]
    return contentHash && contentHashOf(response) !== contentHash ? [`${url} has another body in the archive`] : []
  })
}

/** Looks at many at a time, since engines may be far away. */
export async function faultsOfEach<T>(
  all: Iterable<T> | AsyncIterable<T>,
  faultsOf: (one: T) => Promise<string[]>,
): Promise<string[]> {
  const found: string[] = []
  let batch: Promise<string[]>[] = []
  const settle = async () => {
    found.push(...(await Promise.all(batch)).flat())
    batch = []
  }
  for await (const one of all) if (batch.push(faultsOf(one)) >= lookedAtAtOnce) await settle()
  await settle()
  return found
}

const lookedAtAtOnce = 10

function* recordsIn(path: string, found: string[]): Iterable<{ type: string; url: string; id: string }> {
  const fd = openSync(path, 'r')
  try {
    let end = 0
    for (const { offset, length, content } of readMembers(fd, 0, statSync(path).size)) {
      end = offset + length
      const record = parseWarcRecord(content)
      if (!record) found.push(`${path} has no record at ${offset}`)
      else
        yield {
          type: record.type,
          url: record.field('WARC-Target-URI') ?? '',
          id: record.field('WARC-Record-ID') ?? '',
        }
    }
    if (end !== statSync(path).size) found.push(`${path} is damaged at ${end}`)
  } finally {
    closeSync(fd)
  }
}

/** One document for each searchable page that is no copy. */
async function indexFaults(folder: CrawlFolder, reader: CrawlReader, expected: Expected): Promise<string[]> {
  const { searchable, found } = await searchFaults(reader, expected)
  using database = openReadOnly(folder)
  const documents = database
    .prepare('SELECT url FROM document')
    .all()
    .map(({ url }) => url as string)
  const texts = indexedTexts(database)
  if (documents.length !== searchable.size || texts !== searchable.size)
    found.push(`${documents.length} documents with ${texts} texts for ${searchable.size} searchable pages`)
  return [...found, ...documents.filter((url) => !searchable.has(url)).map((url) => `${url} must not be searchable`)]
}

/** Documents whose words are in the index. */
function indexedTexts(database: DatabaseSync): number {
  const logged = 'SELECT id, id + documents - 1 AS last FROM word_log'
  const inLog = `SELECT count(*) FROM document, (${logged}) AS log WHERE document.id BETWEEN log.id AND log.last`
  const inSegments = "SELECT coalesce(sum(documents - removed), 0) FROM word_segment WHERE state = 'live'"
  return Number(database.prepare(`SELECT (${inLog}) + (${inSegments}) AS n`).get()?.n)
}

/** Each searchable page that is no copy is found by the word that it alone has, once. Answers those pages too. */
export async function searchFaults(
  reader: CrawlReader,
  expected: Expected,
): Promise<{ readonly searchable: ReadonlySet<string>; readonly found: string[] }> {
  const searchable = new Set<string>()
  const byMarker = new Map<string, string[]>()
  for await (const record of reader.records.scan()) {
    if (!isSearchable(record) || record.duplicateOf) continue
    searchable.add(record.url)
    const marker = expected.pages.get(record.url)?.marker
    if (marker !== undefined) byMarker.set(marker, [...(byMarker.get(marker) ?? []), record.url])
  }
  const found = await faultsOfEach(byMarker, async ([marker, urls]) => {
    const hits = (await reader.index.search(marker, urls.length + 1)).map(({ url }) => url as string).sort()
    const wanted = urls.sort().join()
    return hits.join() === wanted ? [] : [`a search for ${marker} finds ${hits}, not ${wanted}`]
  })
  return { searchable, found }
}

function openReadOnly(folder: CrawlFolder): DatabaseSync {
  return new DatabaseSync(folder.database, { readOnly: true })
}
