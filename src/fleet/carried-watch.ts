import type { Clock } from '../clock.ts'
import { type Kafka, kafkaSentence } from '../engines/kafka/connect.ts'
import { type CarriedUrls, openCarriedUrls } from '../frontier/adapters/kafka/carried-urls.ts'
import type { BandCounts } from '../frontier/bands.ts'
import { LatestAnswers } from './latest-answers.ts'

export interface CarriedWatchOptions {
  readonly kafka: Kafka
  readonly clock: Clock
  /** Kafka could not be asked. */
  readonly log: (line: string) => void
}

const askAgainMs = 2000

/** What Kafka carries for each crawl, as it was a moment ago. */
export class CarriedWatch implements AsyncDisposable {
  readonly #options: CarriedWatchOptions
  readonly #answers: LatestAnswers<BandCounts>
  readonly #urls = new Map<string, CarriedUrls>()

  constructor(options: CarriedWatchOptions) {
    const { kafka, clock, log } = options
    this.#options = options
    this.#answers = new LatestAnswers({
      ...{ clock, askAgainMs, ask: (crawl) => this.#ask(crawl) },
      onFault: (crawl, error) => log(`${crawl}: not known what waits in Kafka. ${kafkaSentence(kafka.config, error)}`),
    })
  }

  /** `null`: not known, or not yet. */
  latest(crawl: string): BandCounts | null {
    return this.#answers.of(crawl)
  }

  /** Others have ended, and are watched no more. */
  async keepOnly(crawls: ReadonlySet<string>): Promise<void> {
    await this.#answers.keepOnly(crawls)
    const others = [...this.#urls].filter(([crawl]) => !crawls.has(crawl))
    for (const [crawl] of others) this.#urls.delete(crawl)
    await Promise.all(others.map(([, urls]) => urls[Symbol.asyncDispose]()))
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.keepOnly(new Set())
  }

  async #ask(crawl: string): Promise<BandCounts> {
    const { kafka, clock } = this.#options
    let urls = this.#urls.get(crawl)
    if (!urls) {
      urls = await openCarriedUrls(kafka, crawl, clock)
      this.#urls.set(crawl, urls)
    }
    return urls.byBand()
  }
}
