import type { Clock } from '../../../clock.ts'
import type { GroupReader } from '../../../engines/kafka/group-reader.ts'
import type { Taken } from '../../../engines/kafka/lane.ts'
import { bands, Shares } from '../../bands.ts'
import type { Band, Frontier } from '../../frontier.ts'
import { decodeCandidate } from './candidate-letter.ts'
import type { UrlTopics } from './url-topics.ts'

export interface AdmittingOptions {
  readonly reader: Pick<GroupReader, 'take' | 'waiting' | 'handled' | 'changed'>
  readonly topics: UrlTopics
  readonly inner: Pick<Frontier, 'offer' | 'sync' | 'counts'>
  readonly bandWeights: readonly number[]
  /** So many queued URLs are plenty, as long as hosts to visit are easily found. */
  readonly plentyUrls: number
  readonly clock: Clock
  readonly onAdmitted: () => void
}

/**
 * Brings what our partitions carry into the frontier that schedules, bands by their weights, and acknowledges it only
 * when it is safe there. Admitting does not wait for hosts, so a slow one holds up nobody; and it pauses while there is
 * plenty to do already, so that bursts wait in Kafka rather than in memory.
 */
export class Admitting implements AsyncDisposable {
  readonly #options: AdmittingOptions
  readonly #shares: Shares
  readonly #closing = new AbortController()
  readonly #running: Promise<void>
  #isHungry = true
  #plenty = { isThere: false, askedAt: Number.NEGATIVE_INFINITY }
  #failure: { readonly error: unknown } | undefined

  constructor(options: AdmittingOptions) {
    this.#options = options
    this.#shares = new Shares(options.bandWeights)
    this.#running = this.#run().catch((error) => {
      this.#failure = { error }
    })
  }

  /** Whether the last look for hosts found fewer than were wanted. */
  set isHungry(isHungry: boolean) {
    this.#isHungry = isHungry
  }

  throwFailure(): void {
    if (this.#failure) throw this.#failure.error
  }

  /** Lets the batch under way end. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#closing.abort()
    await this.#running
  }

  async #run(): Promise<void> {
    const { reader, clock } = this.#options
    const { signal } = this.#closing
    while (!signal.aborted) {
      const hasPlenty = await this.#hasPlenty()
      const letters = hasPlenty ? [] : this.#take()
      if (letters.length > 0) await this.#admit(letters)
      else if (hasPlenty) await clock.sleep(lookAgainMs, signal)
      else await reader.changed(signal)
    }
  }

  async #admit(letters: readonly (readonly [Band, Taken])[]): Promise<void> {
    const { inner, reader, onAdmitted } = this.#options
    const candidates = letters.flatMap(([band, { value }]) => decodeCandidate(value, band) ?? [])
    await inner.offer(candidates)
    await inner.sync()
    reader.handled(letters.map(([, letter]) => letter))
    onAdmitted()
  }

  #take(): (readonly [Band, Taken])[] {
    const { reader, topics } = this.#options
    const waiting = bands.map((band) => reader.waiting(topics[band].name))
    const wanted = [0, 0, 0]
    for (let room = admitAtOnce; room > 0; room--) {
      const next = this.#shares.next((of) => wanted[of]! < waiting[of]!)
      if (next === undefined) break
      wanted[next]!++
      this.#shares.serve(next, 1)
    }
    return bands.flatMap((band, of) =>
      reader.take(topics[band].name, wanted[of]!).map((letter) => [band, letter] as const),
    )
  }

  /** A host that nobody may touch for an hour can have millions queued: while we look for work, that is not plenty. */
  async #hasPlenty(): Promise<boolean> {
    const { inner, clock, plentyUrls } = this.#options
    if (this.#isHungry) return false
    if (clock.now() - this.#plenty.askedAt > askAgainMs) {
      const { queued } = await inner.counts()
      this.#plenty = { isThere: queued > plentyUrls, askedAt: clock.now() }
    }
    return this.#plenty.isThere
  }
}

const admitAtOnce = 500
const lookAgainMs = 500
const askAgainMs = 2000
