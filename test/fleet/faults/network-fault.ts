/** What a network, or an engine behind it, may do to those who speak with it. */
export type NetworkFault =
  | { readonly kind: 'pass' }
  /** Everything arrives, in order, but so much later. */
  | { readonly kind: 'delay'; readonly delayMs: number }
  /** A connection is reset as soon as it is made; those that exist are cut. */
  | { readonly kind: 'refuse' }
  /** Connections stand, and nothing passes either way; it arrives when the fault ends. */
  | { readonly kind: 'hang' }
  /** Requests arrive and take effect, answers do not. Connections that missed one are cut when the fault ends. */
  | { readonly kind: 'swallow' }
  /** Each piece of an answer is lost with this chance, and its connection is cut: the request has taken effect. */
  | { readonly kind: 'lossy'; readonly share: number }
