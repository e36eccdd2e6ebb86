import type { Clock } from '../../../clock.ts'
import { type Kafka, kafkaSentence } from '../../../engines/kafka/connect.ts'
import { type CarriedUrls, openCarriedUrls } from '../../../frontier/adapters/kafka/carried-urls.ts'
import type { BandCounts } from '../../../frontier/bands.ts'

export interface CarriedWatchOptions {
  readonly kafka: Kafka
  readonly clock: Clock
  /** Kafka could not be asked. */
  readonly log: (line: string) => void
}

interface Watched {
  urls: CarriedUrls | undefined
  /** `null`: the last question had no answer. */
  known: BandCounts | null | undefined
  askedAt: number
  asking: Promise<void> | undefined
}

const askAgainMs = 2000

/**
 * What Kafka carries for each crawl, as it was a moment ago. It is asked beside those who ask us, so that brokers that are
 * slow or away hold up nobody: then it is not known what they carry.
 */
export class CarriedWatch implements AsyncDisposable {
  readonly #options: CarriedWatchOptions
  readonly #crawls = new Map<string, Watched>()

  constructor(options: CarriedWatchOptions) {
    this.#options = options
  }

  /** `null`: not known, or not yet. */
  latest(crawl: string): BandCounts | null {
    const watched = this.#watched(crawl)
    if (!watched.asking && this.#options.clock.now() - watched.askedAt > askAgainMs)
      watched.asking = this.#ask(crawl, watched)
    return watched.known ?? null
  }

  /** Others have ended, and are watched no more. */
  async keepOnly(crawls: ReadonlySet<string>): Promise<void> {
    const others = [...this.#crawls].filter(([crawl]) => !crawls.has(crawl))
    for (const [crawl] of others) this.#crawls.delete(crawl)
    await Promise.all(others.map(([, watched]) => close(watched)))
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.keepOnly(new Set())
  }

  #watched(crawl: string): Watched {
    let watched = this.#crawls.get(crawl)
    if (!watched) {
      watched = { urls: undefined, known: undefined, askedAt: Number.NEGATIVE_INFINITY, asking: undefined }
      this.#crawls.set(crawl, watched)
    }
    return watched
  }

  async #ask(crawl: string, watched: Watched): Promise<void> {
    const { kafka, clock, log } = this.#options
    try {
      watched.urls ??= await openCarriedUrls(kafka, crawl, clock)
      watched.known = await watched.urls.byBand()
    } catch (error) {
      if (watched.known !== null) log(`${crawl}: not known what waits in Kafka. ${kafkaSentence(kafka.config, error)}`)
      watched.known = null
    }
    watched.askedAt = clock.now()
    watched.asking = undefined
  }
}

async function close(watched: Watched): Promise<void> {
  await watched.asking
  await watched.urls?.[Symbol.asyncDispose]()
}
