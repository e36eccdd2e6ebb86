import { unfinishedUploads } from '../../src/engines/s3/multipart.ts'
import { objectStore } from '../../src/engines/s3/objects.ts'
import type { Fleet } from '../../src/fleet/fleet.ts'
import type { FleetReader } from '../../src/fleet/open-reader.ts'
import { growingSegments } from '../../src/store/adapters/s3/read-segment.ts'
import { reapSegments } from '../../src/store/adapters/s3/reap-segments.ts'
import { faultsOfEach, readingFaults, searchFaults, tallyFaults } from '../crawl/audit.ts'
import { differences } from '../crawl/expectation.ts'
import type { Expected } from '../web/expected.ts'
import type { TestFleet } from './fleet-of-web.ts'

/** Everything that is wrong in a crawl of the test web that a fleet has brought to its end, in words. */
export async function faultsInFleet(fleet: TestFleet, expected: Expected): Promise<string[]> {
  await using reader = await fleet.reader()
  return [
    ...(await differences(reader, expected)),
    ...(await bookkeepingFaults(reader)),
    ...(await tallyFaults(reader)),
    ...(await readingFaults(reader)),
    ...(await indexFaults(fleet, reader, expected)),
  ]
}

/** Nothing is queued or held any more, and all that was admitted has come to one end. */
async function bookkeepingFaults({ ledger, records }: FleetReader): Promise<string[]> {
  const { admitted, queued, leased, done, excluded, dead } = await ledger.counts()
  const found = queued + leased === 0 ? [] : [`${queued} URLs are queued and ${leased} leased`]
  if (admitted !== done + excluded + dead)
    found.push(`${admitted} were admitted, but ${done} are done, ${excluded} excluded and ${dead} dead`)
  let answered = 0
  const strange = await faultsOfEach(records.scan(), async ({ url }) => {
    const state = (await ledger.lookup(url))?.state
    if (state === 'done') answered++
    return state === 'done' || state === 'dead'
      ? []
      : [`${url} has a record, and is ${state ?? 'unknown'} to the frontier`]
  })
  if (answered !== done) found.push(`${done} are done, of which ${answered} have a record`)
  return [...found, ...strange]
}

/** What was written twice, or for a visit that was lost and then ended otherwise, would show here. */
async function indexFaults({ fleet, crawl }: TestFleet, reader: FleetReader, expected: Expected): Promise<string[]> {
  const { searchable, found } = await searchFaults(reader, expected)
  const indexed = await indexedUrls(fleet, crawl)
  const unique = new Set(indexed)
  if (indexed.length !== unique.size) found.push(`${indexed.length - unique.size} documents are in the index twice`)
  for (const url of searchable) if (!unique.has(url)) found.push(`${url} is not in the index`)
  for (const url of unique) if (!searchable.has(url)) found.push(`${url} must not be searchable`)
  return found
}

interface Documents {
  readonly hits: { readonly hits: readonly { readonly _source: { readonly url: string } }[] }
}

/** What the index of a crawl holds, whether it is shown yet or not. */
export async function indexedUrls({ opensearch }: Fleet, crawl: string): Promise<string[]> {
  const alias = `${opensearch.config.prefix}.${crawl}.pages`
  await opensearch.ask({ method: 'POST', path: `/${alias}/_refresh` })
  const { body } = await opensearch.ask<Documents>({
    method: 'POST',
    path: `/${alias}/_search`,
    body: { size: 10_000, query: { match_all: {} }, _source: ['url'] },
  })
  return body.hits.hits.map(({ _source }) => _source.url)
}

/** Finishes what the dead of the last minute have left, as the orchestrator would next. Answers what is left then. */
export async function leftAfterReaping({ s3 }: Fleet): Promise<string[]> {
  const objects = objectStore(s3!)
  await reapSegments(objects, { isAlive: () => false })
  const left = [...(await growingSegments(objects))]
  for await (const { key } of unfinishedUploads(s3!, '')) left.push(`upload of ${key}`)
  return left
}
