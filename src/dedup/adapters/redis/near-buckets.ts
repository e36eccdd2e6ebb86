import { strangeValue } from '../../../engines/redis/patience.ts'
import { redisScript } from '../../../engines/redis/script.ts'
import type { Turn, TurnOrder } from '../../../engines/redis/turn.ts'
import type { CanonicalUrl } from '../../../url/keys.ts'
import { BLOCKS, type Block, bytesOf, type Fingerprint, MEMBER_BYTES, memberOf, nearIn } from './fingerprint.ts'

/** As in the embedded adapter: full at 33 million evenly spread originals, and a crowded one costs no more than others. */
export const MAX_MEMBERS = 512
/** 134 million originals in all. */
const MAX_RECORDS_IN_A_KEY = 2048
const NUMBER_BYTES = 8

export interface Original {
  /** Rises in the order in which originals were admitted. */
  readonly number: number
  readonly fingerprint: Fingerprint
  readonly url: CanonicalUrl
}

type Ask = (orders: readonly TurnOrder[]) => Promise<readonly unknown[]>

const remember = redisScript(new URL('./remember.lua', import.meta.url))
const record = redisScript(new URL('./record.lua', import.meta.url))

/**
 * The originals of a crawl: a bucket of fingerprints for each value of each block, and their records. No two keys need to
 * lie together, so that they spread evenly over a Cluster. Everything can be done twice.
 */
export class NearBuckets {
  readonly #ask: Ask
  readonly #base: string
  /** Blocks whose buckets one order can touch: all, or in a Cluster one each. */
  readonly #together: readonly (readonly Block[])[]

  constructor(base: string, turn: Turn, ask: Ask) {
    this.#base = base
    this.#ask = ask
    this.#together = turn.mayJoinKeys ? [BLOCKS] : BLOCKS.map((block) => [block])
  }

  /** Originals that are near, the earliest first. */
  async near(fingerprint: Fingerprint): Promise<Original[]> {
    const candidates = await this.#candidates(fingerprint)
    if (candidates.length === 0) return []
    const keys = candidates.map((one) => this.#recordKey(one))
    const values = await this.#ask(
      candidates.map((one, at) => ({ keys: [keys[at]!], command: 'HGET', args: [bytesOf(one)] })),
    )
    return candidates
      .map((one, at) => originalOf(keys[at]!, one, values[at]))
      .filter((original) => original !== undefined)
      .sort((a, b) => a.number - b.number)
  }

  /** Resolves when it is found by all who ask after that. */
  async write({ number, fingerprint, url }: Original): Promise<void> {
    const value = Buffer.allocUnsafe(NUMBER_BYTES)
    value.writeDoubleBE(number)
    const args = [bytesOf(fingerprint), Buffer.concat([value, Buffer.from(url)]), MAX_RECORDS_IN_A_KEY]
    await this.#ask([
      { keys: [this.#recordKey(fingerprint)], script: record, args },
      ...this.#together.map((blocks) => ({
        keys: blocks.map((block) => this.#bucketKey(block, fingerprint[block])),
        script: remember,
        args: [MAX_MEMBERS, ...blocks.map((block) => memberOf(fingerprint, block))],
      })),
    ])
  }

  async #candidates(fingerprint: Fingerprint): Promise<Fingerprint[]> {
    const keys = BLOCKS.map((block) => this.#bucketKey(block, fingerprint[block]))
    const answers = await this.#ask(
      this.#together.map((blocks) => ({ keys: blocks.map((block) => keys[block]!), command: 'MGET' })),
    )
    const buckets = answers.flat() as (Buffer | null)[]
    const found = new Map<string, Fingerprint>()
    for (const block of BLOCKS)
      for (const near of nearIn(membersOf(keys[block]!, buckets[block]!), fingerprint, block))
        found.set(near.join(), near)
    return [...found.values()]
  }

  #bucketKey(block: Block, value: number): string {
    return `${this.#base}:${block}:${value.toString(36)}`
  }

  /** All blocks take part, so that a crowded one does not crowd a key. */
  #recordKey([a, b, c, d]: Fingerprint): string {
    return `${this.#base}:o:${(a ^ b ^ c ^ d).toString(36)}`
  }
}

const EMPTY = Buffer.alloc(0)

function membersOf(key: string, value: Buffer | null): Buffer {
  if (value && value.length % MEMBER_BYTES !== 0) throw strangeValue(key)
  return value ?? EMPTY
}

function originalOf(key: string, fingerprint: Fingerprint, value: unknown): Original | undefined {
  // Its record has given way, or is being written.
  if (value === null) return undefined
  const bytes = value as Buffer
  if (bytes.length <= NUMBER_BYTES) throw strangeValue(key)
  return { number: bytes.readDoubleBE(0), fingerprint, url: bytes.toString('utf8', NUMBER_BYTES) as CanonicalUrl }
}
