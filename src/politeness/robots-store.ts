import type { FailureCode } from '../fetch/outcome.ts'
import type { Origin } from '../url/keys.ts'

/** What is known of an origin's robots.txt. */
export type RobotsEntry = { readonly fetchedAt: number; readonly expiresAt: number } & (
  | { readonly kind: 'rules'; readonly text: string }
  /** No file (4xx): all is allowed. */
  | { readonly kind: 'none'; readonly status: number }
  /** 5xx or no answer (`code`: why none came): nothing is allowed; asked again at `expiresAt`. `failures` in a row set the next wait. */
  | {
      readonly kind: 'unavailable'
      readonly code: FailureCode | null
      readonly detail: string
      readonly failures: number
    }
)

/** The robots.txt of each origin, shared by all workers. */
export interface RobotsStore extends AsyncDisposable {
  /** `undefined`: never asked. Expired entries are answered too: the caller decides. */
  get(origin: Origin): Promise<RobotsEntry | undefined>
  put(origin: Origin, entry: RobotsEntry): Promise<void>
}
