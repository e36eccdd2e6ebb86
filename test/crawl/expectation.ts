import { hash } from 'node:crypto'
import type { CrawlReader } from '../../src/crawl-reader.ts'
import type { UrlRecord } from '../../src/store/url-record.ts'
import type { CanonicalUrl } from '../../src/url/keys.ts'
import type { Expected } from '../web/expected.ts'

/** Differences between what a crawl of the test web has and what it must have, in words; empty: it is exact. */
export async function differences(reader: CrawlReader, expected: Expected): Promise<string[]> {
  const found: string[] = []
  const records = new Map<string, UrlRecord>()
  for await (const record of reader.records.scan()) records.set(record.url, record)
  const states = new Map<string, { state: string; reason: string | null }>()
  for (const state of ['queued', 'done', 'excluded', 'dead'] as const)
    for await (const entry of reader.ledger.urls(state)) states.set(entry.url, entry)

  for (const [url, page] of expected.pages) {
    const record = records.get(url)
    if (record?.kind !== 'page') {
      found.push(`page ${url} is ${record?.kind ?? states.get(url)?.reason ?? 'missing'}`)
      continue
    }
    if (record.title !== page.title) found.push(`title of ${url} is "${record.title}", not "${page.title}"`)
    if (!record.text.includes(page.marker)) found.push(`text of ${url} lacks "${page.marker}"`)
    if (record.noindex !== page.noindex) found.push(`noindex of ${url} is ${record.noindex}`)
    if (page.contentKey && (await keyOfArchived(reader, record)) !== page.contentKey)
      found.push(`content of ${url} differs`)
  }
  for (const [url, target] of expected.redirects) {
    const record = records.get(url)
    if (record?.kind !== 'redirect') found.push(`redirect ${url} is ${record?.kind ?? 'missing'}`)
    else if (record.finalUrl !== target) found.push(`redirect ${url} leads to ${record.finalUrl}, not ${target}`)
  }
  for (const [url] of expected.others)
    if (records.get(url)?.status !== 200) found.push(`${url} is not recorded as an answer`)
  for (const [url, reasons] of expected.failures) {
    const record = records.get(url)
    const seen = states.get(url)?.reason ?? (record ? `status-${record.status}` : 'missing')
    if (!reasons.includes(seen)) found.push(`failure ${url} is ${seen}, expected ${reasons.join(' or ')}`)
  }
  for (const [url, reason] of expected.excluded) {
    const entry = states.get(url)
    const right = reason.startsWith('robots') ? entry?.reason?.startsWith(reason) : entry === undefined
    if (!right) found.push(`${url} must be excluded as ${reason}, is ${entry?.state} ${entry?.reason}`)
  }
  for (const [url] of expected.hostile) {
    const state = (await reader.ledger.lookup(url as CanonicalUrl))?.state
    if (state !== 'done' && state !== 'dead' && state !== 'excluded') found.push(`hostile ${url} is ${state}`)
  }
  const known = [
    expected.pages,
    expected.redirects,
    expected.others,
    expected.failures,
    expected.excluded,
    expected.hostile,
  ]
  const mayBe = (url: string) =>
    known.some((urls) => urls.has(url)) ||
    [...expected.traps.keys(), ...expected.hostile.keys()].some((prefix) => url.startsWith(prefix))
  // A fleet's frontier does not list what is done; records do.
  for (const url of new Set([...states.keys(), ...records.keys()]))
    if (!mayBe(url)) found.push(`${url} was not expected (${states.get(url)?.state ?? records.get(url)?.kind})`)
  found.push(...copyDifferences(records, expected))
  return found
}

/** SHA-256 of the page as a reader of the archive has it: decoded. */
async function keyOfArchived({ archive }: CrawlReader, { warc }: UrlRecord): Promise<string | undefined> {
  const response = warc && (await archive.read(warc))
  return response ? hash('sha256', response.body) : undefined
}

/** Of each group one is the original, and the others name it. */
function copyDifferences(records: ReadonlyMap<string, UrlRecord>, expected: Expected): string[] {
  const found: string[] = []
  for (const group of expected.duplicates) {
    const originals = group.filter((url) => !records.get(url)?.duplicateOf)
    if (originals.length !== 1) found.push(`${originals.length} originals among the copies ${group.join(', ')}`)
  }
  for (const group of expected.nearDuplicates) {
    const originals = group.filter((url) => !records.get(url)?.nearDuplicateOf)
    if (originals.length !== 1) found.push(`${originals.length} originals among the near-copies ${group.join(', ')}`)
  }
  return found
}
