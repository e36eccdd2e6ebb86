import type { RedisClient } from '../../../engines/redis/connect.ts'
import type { Shards } from '../../../engines/redis/shards.ts'
import type { HostKey } from '../../../url/keys.ts'
import type { UrlEntry, UrlState } from '../../ledger.ts'
import { unpackEntry } from './entry.ts'
import type { SurveyedHost } from './host-survey.ts'

const slice = 500
const lists = [0, 1, 2, 3] as const
const bandLists = [1, 2, 3] as const

export function entryOf(
  packed: string,
  host: HostKey,
  state: UrlState,
  extra: { readonly dueAt?: number; readonly reason?: string } = {},
): UrlEntry {
  const { priority: band, ...request } = unpackEntry(packed, host)
  return { ...request, host, band, state, dueAt: extra.dueAt ?? null, reason: extra.reason ?? null }
}

/** What was remembered of an end: a letter for the state, the reason, and the entry in the lines below. */
export function endedEntry(remembered: string, host: HostKey): UrlEntry {
  const lineEnd = remembered.indexOf('\n')
  const state = remembered.startsWith('d') ? 'dead' : 'excluded'
  return entryOf(remembered.slice(lineEnd + 1), host, state, { reason: remembered.slice(1, lineEnd) })
}

/**
 * Reads the URLs of a crawl from where they stand, some at a time. While the crawl goes on they move from front lists and
 * retries to queues, and along these towards the head. So queues are read last and from their ends: whatever stays
 * queued is met, perhaps twice.
 */
export class StoredUrls {
  readonly #client: RedisClient
  readonly #shards: Shards
  readonly #crawl: string

  constructor(client: RedisClient, shards: Shards, crawl: string) {
    this.#client = client
    this.#shards = shards
    this.#crawl = crawl
  }

  async *inFront(shard: number): AsyncIterable<UrlEntry> {
    for (const list of bandLists)
      for await (const { text } of this.#fromItsEnd(this.#key(shard, `front:${list}`))) {
        const tab = text.indexOf('\t')
        yield entryOf(text.slice(tab + 1), text.slice(0, tab) as HostKey, 'queued')
      }
  }

  /** Each once. */
  async *hostsWithLetters(shard: number): AsyncIterable<HostKey> {
    const met = new Set<string>()
    let cursor = '0'
    do {
      const [next, names] = await this.#client.sscan(this.#key(shard, 'letters'), cursor, 'COUNT', slice)
      for (const name of names)
        if (!met.has(name)) {
          met.add(name)
          yield name as HostKey
        }
      cursor = next
    } while (cursor !== '0')
  }

  async *delayed(shard: number): AsyncIterable<UrlEntry> {
    for (let from = 0; ; from += slice) {
      const last = `${from + slice - 1}`
      const found = await this.#client.zrange(this.#key(shard, 'delayed'), from, last, 'WITHSCORES')
      for (let at = 0; at < found.length; at += 2) {
        const [host, reason, entry] = found[at]!.split('\t') as [HostKey, string, string]
        yield entryOf(entry, host, 'queued', { dueAt: Number(found[at + 1]), reason })
      }
      if (found.length < 2 * slice) return
    }
  }

  async *queuesOf({ host, shard, leasedByList }: SurveyedHost): AsyncIterable<UrlEntry> {
    for (const list of lists)
      for await (const { text, place } of this.#fromItsEnd(this.#key(shard, `queue:${list}:${host}`)))
        yield entryOf(text, host, place < leasedByList[list]! ? 'leased' : 'queued')
  }

  async *ended(shard: number, host: HostKey): AsyncIterable<UrlEntry> {
    let cursor = '0'
    do {
      const [next, found] = await this.#client.hscan(this.#key(shard, `ended:${host}`), cursor, 'COUNT', slice)
      for (let at = 1; at < found.length; at += 2) yield endedEntry(found[at]!, host)
      cursor = next
    } while (cursor !== '0')
  }

  async *#fromItsEnd(key: string): AsyncIterable<{ text: string; place: number }> {
    for (let end = -1; ; end -= slice) {
      const [length, texts] = await Promise.all([
        this.#client.llen(key),
        this.#client.lrange(key, end - slice + 1, end),
      ])
      const first = length + end + 1 - texts.length
      for (let at = texts.length - 1; at >= 0; at--) yield { text: texts[at]!, place: first + at }
      if (texts.length < slice) return
    }
  }

  #key(shard: number, name: string): string {
    return this.#shards.crawlKey(shard, this.#crawl, name)
  }
}
