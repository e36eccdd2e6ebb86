import { areAlike, isProbe, probeOf } from '../reading/missing-pages.ts'
import type { RecordStore } from '../store/record-store.ts'
import type { FreshRecord, UrlRecord } from '../store/url-record.ts'
import { type CanonicalUrl, type Origin, originOf } from '../url/keys.ts'

/** `unknown`: `probe` must be visited first, to tell. */
export type Missing =
  | { readonly kind: 'content' }
  | { readonly kind: 'missing'; readonly probe: CanonicalUrl }
  | { readonly kind: 'unknown'; readonly probe: CanonicalUrl }

const CONTENT: Missing = { kind: 'content' }
const MAX_ORIGINS = 5000
const MAX_PUT_OFF = 30

/**
 * Tells pages from the answer that a host gives to anything (a soft 404): by what it answered, once, where there cannot
 * be a page. That answer is a record like any other, so that all workers and later runs know it.
 */
export class SoftMissing {
  readonly #records: Pick<RecordStore, 'get'>
  /** What a host answers to anything; `null`: it says so by its status, or could not be asked. The longest known first. */
  readonly #answers = new Map<Origin, Pick<UrlRecord, 'title' | 'text'> | null>()

  /** How often a page was put off since the probe had not been answered, which it may never be. */
  readonly #putOff = new Map<Origin, number>()

  constructor(records: Pick<RecordStore, 'get'>) {
    this.#records = records
  }

  /** `isLast`: the page was put off before, for the probe's sake, and is not put off again. */
  async judge(page: FreshRecord, isLast: boolean): Promise<Missing> {
    if (isProbe(page.url)) return CONTENT
    const probe = probeOf(page.url)
    const origin = originOf(page.url)
    const known = this.#answers.get(origin) ?? (this.#answers.has(origin) ? null : await this.#ask(origin, probe))
    if (known === undefined) {
      const times = (this.#putOff.get(origin) ?? 0) + 1
      keep(this.#putOff, origin, times)
      return isLast || times > MAX_PUT_OFF ? CONTENT : { kind: 'unknown', probe }
    }
    return known !== null && areAlike(known, page) ? { kind: 'missing', probe } : CONTENT
  }

  async #ask(origin: Origin, probe: CanonicalUrl): Promise<Pick<UrlRecord, 'title' | 'text'> | null | undefined> {
    const answer = await this.#records.get(probe)
    if (!answer) return undefined
    const { status, title, text } = answer
    return this.#remember(origin, status === 200 && text !== '' ? { title, text } : null)
  }

  #remember(origin: Origin, answer: Pick<UrlRecord, 'title' | 'text'> | null) {
    keep(this.#answers, origin, answer)
    return answer
  }
}

function keep<Value>(map: Map<Origin, Value>, origin: Origin, value: Value): void {
  map.set(origin, value)
  if (map.size > MAX_ORIGINS) map.delete(map.keys().next().value!)
}
