export interface Address {
  readonly address: string
  readonly family: 4 | 6
}

export type Resolution =
  | { readonly kind: 'resolved'; readonly addresses: readonly Address[]; readonly ttlMs: number }
  /** `not-found`: the name does not exist, for `ttlMs`. `failed`: no answer; may heal. */
  | { readonly kind: 'not-found' | 'failed'; readonly detail: string; readonly ttlMs: number }

/** Host name → addresses with their lifetime. Never throws; a name that is an address answers itself. */
export interface Resolver extends AsyncDisposable {
  resolve(host: string): Promise<Resolution>
}
