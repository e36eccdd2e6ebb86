import type { Frontier } from '../frontier/frontier.ts'
import type { PageReader } from '../reading/page-reader.ts'
import type { Archive } from '../store/archive.ts'
import type { FetchedPage } from '../stream/stream.ts'
import type { Keeper } from './keeper.ts'

export interface ParseStageParts {
  readonly reader: Pick<PageReader, 'answer'>
  readonly archive: Pick<Archive, 'read'>
  readonly keeper: Keeper
  readonly frontier: Pick<Frontier, 'add'>
  /** Resolves when what was kept is safe: before that a page must not be acknowledged. */
  readonly safe: () => Promise<void>
}

/** Counted when the page was fetched. */
const countedBefore = ['requests', 'bytes', 'pages', 'redirects', 'others']

/**
 * The second half of a URL's path: reads an archived page, keeps what it says and offers its links. A page that comes
 * twice, since a parser died, changes nothing but what is counted of copies and refused links.
 */
export class ParseStage {
  readonly #parts: ParseStageParts

  constructor(parts: ParseStageParts) {
    this.#parts = parts
  }

  async read({ request, exchange, place, bodyBytes, location }: FetchedPage): Promise<void> {
    const { reader, archive, keeper, frontier, safe } = this.#parts
    const stored = await archive.read(place)
    if (!stored) throw new Error(`${request.url} is not in the archive, though it was put there (${place.file}).`)
    const whole = { ...exchange, rawBody: stored.body, body: stored.body }
    const answer = reader.answer(
      request,
      location === null ? { kind: 'fetched', exchange: whole } : { kind: 'redirected', exchange: whole, location },
    )
    const { adds } = await keeper.keep(request, { ...answer, bodyBytes, archive: async () => place })
    await safe()
    const rest = Object.entries(adds).filter(([name]) => !countedBefore.includes(name) && !name.startsWith('errors.'))
    if (rest.length > 0) await frontier.add(Object.fromEntries(rest))
  }
}
