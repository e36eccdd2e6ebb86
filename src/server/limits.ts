import type { IncomingMessage } from 'node:http'
import type { Clock } from '../clock.ts'
import { HttpProblem } from './problem.ts'

export const maxBodyBytes = 1024 * 1024
/** Of the first line and the headers: a URL of the longest kind, every character encoded, has room. */
export const maxHeadBytes = 128 * 1024

/** The JSON of a request's body; `undefined` if there is none. */
export async function readJson(request: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length
    if (bytes > maxBodyBytes)
      throw new HttpProblem(413, `A request may have ${maxBodyBytes} bytes.`, { headers: { connection: 'close' } })
    chunks.push(chunk)
  }
  if (bytes === 0) return undefined
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(chunks)))
  } catch (cause) {
    throw new HttpProblem(400, `The body is not JSON: ${(cause as Error).message}.`, { cause })
  }
}

const patienceMs = 60_000

/** An engine that is away is waited for; who asks through the API is told after a minute. */
export async function inTime<T>(answer: Promise<T>, ms = patienceMs, afterwards = ' It may yet be done.'): Promise<T> {
  const { promise: late, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(
    () =>
      reject(
        new HttpProblem(503, `No answer within ${ms / 1000} s: an engine may be away, as /readyz tells.${afterwards}`),
      ),
    ms,
  )
  try {
    return await Promise.race([answer, late])
  } finally {
    clearTimeout(timer)
  }
}

const mostAddresses = 10_000

/** So many requests a second for each address, twice as many at once. */
export class RateLimit {
  readonly #perSecond: number
  readonly #clock: Clock
  readonly #buckets = new Map<string, { tokens: number; at: number }>()

  constructor(perSecond: number, clock: Clock) {
    this.#perSecond = perSecond
    this.#clock = clock
  }

  /** A problem if the address has asked too often. */
  take(address: string): void {
    const now = this.#clock.now()
    const burst = 2 * this.#perSecond
    const bucket = this.#buckets.get(address) ?? { tokens: burst, at: now }
    bucket.tokens = Math.min(burst, bucket.tokens + ((now - bucket.at) / 1000) * this.#perSecond)
    bucket.at = now
    // The one that was quiet for longest is the first of the map.
    this.#buckets.delete(address)
    this.#buckets.set(address, bucket)
    if (this.#buckets.size > mostAddresses) this.#buckets.delete(this.#buckets.keys().next().value!)
    if (bucket.tokens < 1)
      throw new HttpProblem(
        429,
        `At most ${this.#perSecond} requests a second are answered (server.requestsPerSecond).`,
        {
          headers: { 'retry-after': '1' },
        },
      )
    bucket.tokens--
  }
}
