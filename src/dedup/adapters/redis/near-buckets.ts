import type { Clock } from '../../../clock.ts'
import type { RedisClient } from '../../../engines/redis/connect.ts'
import { patiently, strangeValue } from '../../../engines/redis/patience.ts'
import { redisScript } from '../../../engines/redis/script.ts'
import { Turn, type TurnOrder } from '../../../engines/redis/turn.ts'
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

export interface Entered {
  readonly record: NearRecord
  /** A withdrawn one was there before. */
  readonly wasWithdrawn: boolean
  readonly tails: readonly Buffer[]
}

const EMPTY: Bucket = { members: Buffer.alloc(0), end: 0 }

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
  async read(fingerprint: Fingerprint): Promise<readonly Bucket[]> {
    const orders = BLOCKS.map((block) => ({ key: this.#bucketKey(block, fingerprint[block]), command: 'GET' }))
    const values = await this.#ask(orders)
    return values.map((value, at) => bucketOf(orders[at]!.key, value))
  }

  /**
   * Enters the record of an original, undecided, unless there is one, and puts its fingerprint into its four buckets.
   * Answers the record that there is now, and for each bucket the members that came before it since it was read.
   */
  async enter(fingerprint: Fingerprint, url: CanonicalUrl, seen: readonly Bucket[]): Promise<Entered> {
    const claimed = this.#claim(fingerprint, url, 'undecided')
    const [answer, ...tails] = await this.#ask([
      claimed,
      ...BLOCKS.map((block) => this.#announce(fingerprint, block, seen[block]!)),
    ])
    const [record, wasWithdrawn] = answer as [Buffer, number]
    return {
      record: known(claimed.key, record)!,
      wasWithdrawn: wasWithdrawn === 1,
      tails: tails as Buffer[],
    }
  }

  async records(fingerprints: readonly Fingerprint[]): Promise<readonly (NearRecord | undefined)[]> {
    if (fingerprints.length === 0) return []
    const orders = fingerprints.map((one) => ({ key: this.#recordKey(one), command: 'HGET', args: [bytesOf(one)] }))
    const values = await this.#ask(orders)
    return values.map((value, at) => known(orders[at]!.key, value))
  }

  /** Decides about an undecided record, if it is that of `url`; answers what has been decided. */
  async decide(fingerprint: Fingerprint, state: 'original' | 'withdrawn', url: CanonicalUrl | '') {
    const key = this.#recordKey(fingerprint)
    const [record] = await this.#ask([{ key, script: decide, args: [bytesOf(fingerprint), stateBytes[state], url] }])
    return known(key, record)
  }

  /** Nothing may become of this fingerprint any more, unless a record has been entered after all. */
  async giveUp(fingerprint: Fingerprint): Promise<NearRecord> {
    const order = this.#claim(fingerprint, '', 'withdrawn')
    const [answer] = await this.#ask([order])
    return known(order.key, (answer as [Buffer, number])[0])!
  }

  #claim(fingerprint: Fingerprint, url: CanonicalUrl | '', state: keyof typeof stateBytes) {
    const args = [bytesOf(fingerprint), url, stateBytes[state], MAX_RECORDS_IN_A_KEY]
    return { key: this.#recordKey(fingerprint), script: claim, args }
  }

  #announce(fingerprint: Fingerprint, block: Block, seen: Bucket) {
    const args = [memberOf(fingerprint, block), seen.end, MAX_MEMBERS]
    return { key: this.#bucketKey(block, fingerprint[block]), script: announce, args }
  }

  #bucketKey(block: Block, value: number): string {
    return `${this.#base}:${block}:${value.toString(36)}`
  }

  /** All blocks take part, so that a crowded one does not crowd a key. */
  #recordKey([a, b, c, d]: Fingerprint): string {
    return `${this.#base}:o:${(a ^ b ^ c ^ d).toString(36)}`
  }

  #ask(orders: readonly TurnOrder[]): Promise<readonly unknown[]> {
    return patiently(this.#client, this.#clock, () => this.#turn.askAll(orders))
  }
}

function bucketOf(key: string, value: unknown): Bucket {
  if (value === null) return EMPTY
  const bytes = value as Buffer
  if (bytes.length < HEAD_BYTES || (bytes.length - HEAD_BYTES) % MEMBER_BYTES !== 0) throw strangeValue(key)
  const members = bytes.subarray(HEAD_BYTES)
  return { members, end: bytes.readUInt32BE(0) + members.length / MEMBER_BYTES }
}

function known(key: string, bytes: unknown): NearRecord | undefined {
  if (bytes === null) return undefined
  const record = recordOf(bytes as Buffer)
  if (!record) throw strangeValue(key)
  return record
}
