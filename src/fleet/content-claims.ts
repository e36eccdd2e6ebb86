import type { RedisClient } from '../engines/redis/connect.ts'
import { Courier } from '../engines/redis/courier.ts'
import { FirstComers, type FirstComersOptions } from '../engines/redis/first-comers.ts'
import { Gathering } from '../engines/redis/gathering.ts'
import { scriptOf } from '../engines/redis/script.ts'
import type { RecordStore } from '../store/record-store.ts'
import type { CanonicalUrl } from '../url/keys.ts'

/** By then the page that claimed a content is stored, or its visit was lost and is made again. */
const lifeMs = 600_000
const claimsAtOnce = 100
const claim = scriptOf(new URL('./claim.lua', import.meta.url))

interface Claim {
  readonly content: string
  readonly url: CanonicalUrl
}

export interface ContentClaimsOptions extends Pick<FirstComersOptions<unknown, unknown>, 'clock' | 'holdMs'> {
  readonly client: RedisClient
  readonly prefix: string
  readonly crawl: string
  /** Shared by all who use this client. Left out: one of its own. */
  readonly courier?: Courier
}

/**
 * Records, where of several workers that store the same content at the same moment one is first for all: a claim in Redis
 * spans the time until its record can be found by everybody. The records themselves stay open when this is closed.
 */
export function claimingContents(records: RecordStore, options: ContentClaimsOptions): RecordStore {
  const { client, prefix, crawl, clock, holdMs, courier = new Courier({ client }) } = options
  const keys = ['turned', 'young', 'old'].map((name) => `{${prefix}:content:${crawl}}:${name}`)
  const claimants = new FirstComers<Claim, string | null>({
    ...{ courier, clock, holdMs, script: claim },
    async ask(some, decide) {
      const args = [lifeMs, ...some.flatMap(({ content, url }) => [content, url])]
      return (await decide({ keys, args })) as (string | null)[]
    },
    isFirst: (first, { url }) => first === null || first === url,
  })
  const claims = new Gathering<Claim, string | null>(claimsAtOnce, (some) => claimants.decide(some))

  /** Whoever claimed a content may have died before it was stored: others are copies of a page that comes only now. */
  async function isCopyOf(original: CanonicalUrl, url: CanonicalUrl): Promise<boolean> {
    return (await records.get(url))?.duplicateOf === original
  }

  return {
    put: (url, visit, record) => records.put(url, visit, record),
    get: (url) => records.get(url),
    visits: (url) => records.visits(url),
    scan: () => records.scan(),
    due: (by, limit) => records.due(by, limit),
    putOff: (visits, until) => records.putOff(visits, until),
    outlook: (now) => records.outlook(now),
    async findByContent(contentHash, storing) {
      const stored = await records.findByContent(contentHash)
      if (storing === undefined) return stored
      if (stored !== undefined) return (await isCopyOf(storing, stored)) ? undefined : stored
      const [first] = await claims.add([{ content: contentHash, url: storing }])
      return (first as CanonicalUrl | null) ?? undefined
    },
    async [Symbol.asyncDispose]() {
      claimants[Symbol.dispose]()
    },
  }
}
