import type { Sums } from '../frontier/frontier.ts'
import type { PageReader } from '../reading/page-reader.ts'
import type { Archive } from '../store/archive.ts'
import type { RecordStore } from '../store/record-store.ts'
import type { FetchedPage } from '../stream/stream.ts'
import type { Keeper } from './keeper.ts'

export interface PageTally {
  /** Adds to the crawl's sums what a page brings; nothing when the same page is told again. */
  addOnce(page: FetchedPage, adds: Sums): Promise<void>
}

export interface ParseStageParts {
  readonly reader: Pick<PageReader, 'answer'>
  readonly archive: Pick<Archive, 'read'>
  readonly keeper: Keeper
  readonly records: RecordStore
  readonly tally: PageTally
  /** Resolves when what was kept is safe: before that a page must not be acknowledged. */
  readonly safe: () => Promise<void>
}

/** Counted when the page was fetched; so is a wall, if it was noticed then. */
const countedBefore = ['requests', 'bytes', 'pages', 'redirects', 'others']

function wasCounted(name: string, { isBlocked }: FetchedPage): boolean {
  return countedBefore.includes(name) || name.startsWith('errors.status-') || (isBlocked && name === 'errors.blocked')
}

/**
 * The second half of a URL's path: reads an archived page, keeps what it says and offers its links. A page that comes
 * twice, since a parser or whoever fetched it died, changes nothing the second time.
 */
export class ParseStage {
  readonly #parts: ParseStageParts

  constructor(parts: ParseStageParts) {
    this.#parts = parts
  }

  async read(page: FetchedPage): Promise<void> {
    const { reader, archive, keeper, records, tally, safe } = this.#parts
    const { request, exchange, place, bodyBytes, location } = page
    const stored = await archive.read(place)
    if (!stored) return this.#missing(page)
    const whole = { ...exchange, rawBody: stored.rawBody, body: stored.body }
    const answer = await reader.answer(
      request,
      location === null ? { kind: 'fetched', exchange: whole } : { kind: 'redirected', exchange: whole, location },
    )
    const previous = request.isRevisit ? await records.get(request.url) : undefined
    const { adds } = await keeper.keep(request, { ...answer, previous, bodyBytes, archive: async () => place })
    await safe()
    const rest = Object.entries(adds).filter(([name]) => !wasCounted(name, page))
    if (rest.length > 0) await tally.addOnce(page, Object.fromEntries(rest))
  }

  /** Deleted since, by whomever. The page cannot be read, but those behind it can. */
  async #missing(page: FetchedPage): Promise<void> {
    const { records, tally, safe } = this.#parts
    const { request, exchange, place, bodyBytes: bytes } = page
    const { startedAt: at, durationMs, status } = exchange
    const detail = `archive-lost: ${place.file} at ${place.offset}`
    await records.put(request.url, { at, kind: 'failed', status, durationMs, bytes, detail })
    await safe()
    await tally.addOnce(page, { 'errors.archive-lost': 1 })
  }
}
