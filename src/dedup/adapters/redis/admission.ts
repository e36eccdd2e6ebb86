import type { Clock } from '../../../clock.ts'
import { strangeValue } from '../../../engines/redis/patience.ts'
import { scriptOf } from '../../../engines/redis/script.ts'
import type { CanonicalUrl } from '../../../url/keys.ts'
import type { Applicant, Ask } from './applicant.ts'
import { bytesOf, fingerprintIn } from './fingerprint.ts'
import type { Original } from './near-buckets.ts'

export type Verdict =
  /** It took too long since the buckets were read: what has been written since may have been missed. */
  | { readonly kind: 'late' }
  | { readonly kind: 'near'; readonly url: CanonicalUrl }
  /** Near to its own earlier self. */
  | { readonly kind: 'own' }
  | { readonly kind: 'original'; readonly original: Original }

/** A page that asks to be admitted, or was. */
export type Fingerprinted = Pick<Applicant, 'url' | 'fingerprint'>

export interface Admitted {
  /** One for each applicant. */
  readonly verdicts: readonly Verdict[]
  /** Originals whose worker has not written them, and will not: they are to be written. */
  readonly orphans: readonly Original[]
}

export interface AdmissionTimes {
  /** An original stays here for so long after it was written, at least. */
  readonly staysMs: number
  /** One that is not written by then has lost its worker. */
  readonly orphanedMs: number
}

const admit = scriptOf(new URL('./admit.lua', import.meta.url))

const names = ['state', 'unwritten', 'young:blocks', 'young:originals', 'old:blocks', 'old:originals']

/**
 * The one place of a crawl where originals are admitted, one after the other: so two near ones never are. Who comes here
 * has read its buckets, and found nothing near.
 */
export class Admission {
  readonly #ask: Ask
  readonly #clock: Clock
  readonly #times: AdmissionTimes
  readonly #keys: readonly string[]
  #written: number[] = []
  /** What the engine's clock had reached at a moment of ours, at least. */
  #engineAt = { ours: 0, engines: Number.NEGATIVE_INFINITY }

  constructor(base: string, ask: Ask, clock: Clock, times: AdmissionTimes) {
    this.#ask = ask
    this.#clock = clock
    this.#times = times
    this.#keys = names.map((name) => `{${base}}:${name}`)
  }

  /** The engine's clock now, or a little earlier. */
  now(): number {
    return this.#engineAt.engines + this.#clock.now() - this.#engineAt.ours
  }

  async decide(applicants: readonly Fingerprinted[], readAt: number): Promise<Admitted> {
    const from = Number.isFinite(readAt) ? readAt : 0
    const [now, ...rest] = await this.#call(
      applicants.flatMap(({ url, fingerprint }) => [bytesOf(fingerprint), url, from]),
    )
    this.#engineAt = { ours: this.#clock.now(), engines: Number(now) }
    const verdicts = applicants.map((applicant, n) => this.#verdictOn(applicant, rest[2 * n], rest[2 * n + 1]))
    return { verdicts, orphans: orphansIn(rest.slice(2 * applicants.length)) }
  }

  /** To be told with the next call. */
  noteWritten(originals: readonly Original[]): void {
    for (const { number } of originals) this.#written.push(number)
  }

  /** Tells what has not been told yet. */
  async flush(): Promise<void> {
    while (this.#written.length > 0) await this.#call([])
  }

  async #call(applicants: readonly (Buffer | string | number)[]): Promise<readonly (Buffer | number)[]> {
    const written = this.#written.splice(0, WRITTEN_IN_A_CALL)
    const { staysMs, orphanedMs } = this.#times
    const args = [staysMs, orphanedMs, written.length, ...written, ...applicants]
    const [answer] = await this.#ask([{ keys: this.#keys, script: admit, args }])
    return answer as (Buffer | number)[]
  }

  #verdictOn({ url, fingerprint }: Fingerprinted, what: unknown, value: unknown): Verdict {
    const kind = String(what)
    switch (kind) {
      case 'late':
      case 'own':
        return { kind }
      case 'near':
        return { kind, url: String(value) as CanonicalUrl }
      case 'original':
        return { kind, original: { number: Number(String(value)), fingerprint, url } }
      default:
        throw strangeValue(this.#keys[0]!)
    }
  }
}

const WRITTEN_IN_A_CALL = 200

function orphansIn(parts: readonly unknown[]): Original[] {
  const orphans: Original[] = []
  for (let i = 0; i + 2 < parts.length; i += 3)
    orphans.push({
      number: Number(String(parts[i])),
      fingerprint: fingerprintIn(parts[i + 1] as Buffer),
      url: String(parts[i + 2]) as CanonicalUrl,
    })
  return orphans
}
