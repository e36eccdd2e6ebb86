import type { Order } from '../../../engines/redis/order.ts'
import type { CanonicalUrl } from '../../../url/keys.ts'
import type { Fingerprint } from './fingerprint.ts'

/** A page that asks whether it is an original. */
export interface Applicant {
  readonly url: CanonicalUrl
  readonly simhash: string
  readonly fingerprint: Fingerprint
}

/** Answers come as bytes. */
export type Ask = (orders: readonly Order[]) => Promise<readonly unknown[]>

/** Decides on pages that come at the same moment, over all workers. */
export interface Deciding extends AsyncDisposable {
  /** For each page the original that it is near to; `undefined`: it is one. */
  decide(pages: readonly Applicant[]): Promise<readonly (CanonicalUrl | undefined)[]>
}
