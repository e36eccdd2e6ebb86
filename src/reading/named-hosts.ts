import { type CanonicalUrl, hostnameOf } from '../url/keys.ts'

/** May a host be reached at a private address? Those that the user named may, as seeds or by `allowPrivate`. */
export function namedHosts(
  seeds: readonly CanonicalUrl[],
  allowPrivate: readonly string[],
): (hostname: string) => boolean {
  const named = new Set([...allowPrivate, ...seeds.map((url) => hostnameOf(url).replace(/^\[|\]$/g, ''))])
  return (hostname) => named.has('*') || named.has(hostname)
}
