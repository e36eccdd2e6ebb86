/**
 * Takes the references of a page one by one, as absolute URLs. Most references were met on other pages of the same site:
 * told by their key, they need not become strings again.
 */
export interface References {
  /** Scheme and host that the references are relative to, and what else they depend on, before the first one comes. */
  from(origin: string): void
  /** True: a reference with this key has come before from the same origin, and is now taken again. */
  again(keyLow: number, keyHigh: number): boolean
  /** A reference, with its key if it has one (else 0, 0): one that depends on nothing but the origin. */
  take(url: string, keyLow: number, keyHigh: number): void
}
