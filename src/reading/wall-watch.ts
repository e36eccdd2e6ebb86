import { type Exchange, header } from '../fetch/outcome.ts'
import type { ParseConfig } from '../parse/config.ts'
import type { Page } from '../parse/page.ts'
import type { PageText } from '../parse/page-text.ts'
import { parsePage } from '../parse/parse-page.ts'
import { hostOf } from '../url/keys.ts'
import { RepeatedBodies } from './repeated-bodies.ts'
import { hasWallMark, type Wall, wallIn } from './walls.ts'

/** Walls, and the few words of hosts that say the same to everybody, are in small pages. */
const SMALL_BYTES = 16_384
/** Walls lead hardly anywhere. */
const MANY_LINKS = 40

/** Tells walls from content, by a page and by what its host answered before. */
export class WallWatch {
  readonly #repeated = new RepeatedBodies()

  /** Of a page that was read with its text. */
  wallIn({ url, body }: Pick<Exchange, 'url' | 'body'>, page: Page<PageText>): Wall | undefined {
    const wall = wallIn(body, page)
    if (wall || body.length > SMALL_BYTES || page.text === '') return wall
    const isRepeated = this.#repeated.isWall(hostOf(url), `${page.title}\n${page.text}`, page.text)
    return isRepeated ? { kind: 'blocked', by: 'the same few words for every URL' } : undefined
  }

  /** Without text it cannot be told by how little there is of it: then only small pages with few links are looked at. */
  wallWithoutText({ body }: Pick<Exchange, 'body'>, page: Page<PageText>, links: number): Wall | undefined {
    return body.length > SMALL_BYTES || links > MANY_LINKS ? undefined : wallIn(body, page)
  }
}

/**
 * The same for whoever leaves pages to others unread, and must know at once whether their host bears it. It reads small
 * pages, and of the larger ones those with the marks of a challenge; one that is large and has but words is left to those
 * who read everything.
 */
export class UnreadWalls {
  readonly #config: ParseConfig
  readonly #watch = new WallWatch()

  constructor(config: ParseConfig) {
    this.#config = config
  }

  wallIn(exchange: Exchange): Wall | undefined {
    const { url, status, headers, body } = exchange
    if (status !== 200 || (body.length > SMALL_BYTES && !hasWallMark(body))) return undefined
    const contentType = header(headers, 'content-type') ?? ''
    return this.#watch.wallIn(exchange, parsePage(body, { url, contentType, config: this.#config }))
  }
}
