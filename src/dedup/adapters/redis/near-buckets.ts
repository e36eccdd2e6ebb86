import type { Clock } from '../../../clock.ts'
import type { RedisClient } from '../../../engines/redis/connect.ts'
import { expecting, patiently, strangeValue } from '../../../engines/redis/patience.ts'
import { redisScript } from '../../../engines/redis/script.ts'
import { Turn } from '../../../engines/redis/turn.ts'
import type { CanonicalUrl } from '../../../url/keys.ts'
import { BLOCKS, type Block, bytesOf, type Fingerprint, MEMBER_BYTES, memberOf } from './fingerprint.ts'
import { type NearRecord, recordOf, stateBytes } from './record.ts'

/** As in the embedded adapter: full at 33 million evenly spread originals, and a crowded one costs no more than others. */
export const MAX_MEMBERS = 512
/** 134 million originals in all. */
const MAX_RECORDS_IN_A_KEY = 2048
const HEAD_BYTES = 4

export interface Bucket {
  /** Of 6 bytes each, in order of arrival. */
  readonly members: Buffer
  /** The place after the last, counted from the very first that ever was. */
  readonly end: number
}

const announce = redisScript(new URL('./announce.lua', import.meta.url))
const claim = redisScript(new URL('./claim.lua', import.meta.url))
const decide = redisScript(new URL('./decide.lua', import.meta.url))

/**
 * What is known of a crawl's originals: a bucket of fingerprints for each value of each block, and their records. No two
 * keys need to lie together, so that they spread evenly over a Cluster. Everything can be done twice.
 */
export class NearBuckets {
  readonly #client: RedisClient
  readonly #clock: Clock
  readonly #turn: Turn
  readonly #base: string

  constructor(client: RedisClient, prefix: string, crawl: string, clock: Clock) {
    this.#client = client
    this.#clock = clock
    this.#turn = new Turn(client)
    this.#base = `${prefix}:near:${crawl}`
  }

  /** Pipelines sent so far. */
  get trips(): number {
    return this.#turn.trips
  }

  /** The buckets that a fingerprint belongs to. */
  read(fingerprint: Fingerprint): Promise<readonly Bucket[]> {
    return Promise.all(BLOCKS.map((block) => this.#read(this.#bucketKey(block, fingerprint[block]))))
  }

  /** Adds the fingerprint; answers which members came before it since the bucket was read. */
  async announce(fingerprint: Fingerprint, block: Block, seen: Bucket): Promise<Buffer> {
    const key = this.#bucketKey(block, fingerprint[block])
    const args = [memberOf(fingerprint, block), seen.end, MAX_MEMBERS]
    return (await this.#asked(key, () => announce.runIn(this.#turn, [key], args))) as Buffer
  }

  /** Enters a record, undecided or withdrawn, unless there is one; answers the one that there is now. */
  async claim(fingerprint: Fingerprint, url: CanonicalUrl | '', state: 'undecided' | 'withdrawn' = 'undecided') {
    const key = this.#recordKey(fingerprint)
    const args = [bytesOf(fingerprint), url, stateBytes[state], MAX_RECORDS_IN_A_KEY]
    const answer = await this.#asked(key, () => claim.runIn(this.#turn, [key], args))
    const [record, wasWithdrawn] = answer as [Buffer, number]
    return { record: this.#recordOf(key, record)!, wasWithdrawn: wasWithdrawn === 1 }
  }

  async record(fingerprint: Fingerprint): Promise<NearRecord | undefined> {
    const key = this.#recordKey(fingerprint)
    const record = await this.#asked(key, () => this.#turn.send(key, 'HGET', key, bytesOf(fingerprint)))
    return this.#recordOf(key, record)
  }

  /** Decides about an undecided record, if it is that of `url`; answers what has been decided. */
  async decide(fingerprint: Fingerprint, state: 'original' | 'withdrawn', url: CanonicalUrl | '') {
    const key = this.#recordKey(fingerprint)
    const args = [bytesOf(fingerprint), stateBytes[state], url]
    return this.#recordOf(key, await this.#asked(key, () => decide.runIn(this.#turn, [key], args)))
  }

  async #read(key: string): Promise<Bucket> {
    const value = await this.#asked(key, () => this.#turn.send(key, 'GET', key))
    if (value === null) return { members: Buffer.alloc(0), end: 0 }
    const bytes = value as Buffer
    if (bytes.length < HEAD_BYTES || (bytes.length - HEAD_BYTES) % MEMBER_BYTES !== 0) throw strangeValue(key)
    const members = bytes.subarray(HEAD_BYTES)
    return { members, end: bytes.readUInt32BE(0) + members.length / MEMBER_BYTES }
  }

  #recordOf(key: string, bytes: unknown): NearRecord | undefined {
    if (bytes === null) return undefined
    const record = recordOf(bytes as Buffer)
    if (!record) throw strangeValue(key)
    return record
  }

  #bucketKey(block: Block, value: number): string {
    return `${this.#base}:${block}:${value.toString(36)}`
  }

  /** All blocks take part, so that a crowded one does not crowd a key. */
  #recordKey([a, b, c, d]: Fingerprint): string {
    return `${this.#base}:o:${(a ^ b ^ c ^ d).toString(36)}`
  }

  #asked<T>(key: string, ask: () => Promise<T>): Promise<T> {
    return patiently(this.#client, this.#clock, () => expecting(key, ask()))
  }
}
