declare const brand: unique symbol

/** A URL in canonical form (`canonical.ts` makes it): equal text means equal page. */
export type CanonicalUrl = string & { readonly [brand]: 'CanonicalUrl' }

/** What politeness is owed to: a host (with its port when that is not the default), a registrable domain or an address. */
export type HostKey = string & { readonly [brand]: 'HostKey' }

/** Scheme, host and port: what one robots.txt speaks for. */
export type Origin = string & { readonly [brand]: 'Origin' }
