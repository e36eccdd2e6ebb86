/**
 * Which addresses a crawler must not connect to unless it is told so: everything that is not a public unicast address.
 * Addresses are compared as numbers, since one address has many spellings; IPv6 forms that carry an IPv4 address
 * inside are judged by that address, since a gateway may well deliver to it.
 */

type Range4 = readonly [base: number, prefixBits: number, name: string]
type Range6 = readonly [groups: readonly number[], prefixBits: number, name: string]

const ranges4: readonly Range4[] = [
  ['0.0.0.0', 8, 'unspecified'],
  ['10.0.0.0', 8, 'private'],
  ['100.64.0.0', 10, 'carrier-grade NAT'],
  ['127.0.0.0', 8, 'loopback'],
  ['169.254.0.0', 16, 'link-local'],
  ['172.16.0.0', 12, 'private'],
  ['192.0.0.0', 24, 'reserved'],
  ['192.0.2.0', 24, 'documentation'],
  ['192.88.99.0', 24, 'reserved'],
  ['192.168.0.0', 16, 'private'],
  ['198.18.0.0', 15, 'benchmarking'],
  ['198.51.100.0', 24, 'documentation'],
  ['203.0.113.0', 24, 'documentation'],
  ['224.0.0.0', 4, 'multicast'],
  ['255.255.255.255', 32, 'broadcast'],
  ['240.0.0.0', 4, 'reserved'],
].map(([base, bits, name]) => [parseIpv4(base as string)!, bits as number, name as string])

const ranges6: readonly Range6[] = [
  ['::', 128, 'unspecified'],
  ['::1', 128, 'loopback'],
  ['64:ff9b:1::', 48, 'private'],
  ['100::', 63, 'reserved'],
  ['2001:2::', 48, 'benchmarking'],
  ['2001:10::', 28, 'reserved'],
  ['2001:20::', 28, 'reserved'],
  ['2001:db8::', 32, 'documentation'],
  ['3fff::', 20, 'documentation'],
  ['5f00::', 16, 'reserved'],
  ['fc00::', 7, 'private'],
  ['fe80::', 10, 'link-local'],
  ['fec0::', 10, 'private'],
  ['ff00::', 8, 'multicast'],
].map(([base, bits, name]) => [parseIpv6(base as string)!, bits as number, name as string])

/** Prefixes that carry an IPv4 address, and the groups at which its upper half may stand. */
const carriers: readonly (readonly [groups: readonly number[], prefixBits: number, at: number, inverted: boolean])[] = [
  [parseIpv6('::ffff:0:0')!, 96, 6, false],
  [parseIpv6('::ffff:0:0:0')!, 96, 6, false],
  [parseIpv6('64:ff9b::')!, 96, 6, false],
  [parseIpv6('2002::')!, 16, 1, false],
  [parseIpv6('2001::')!, 32, 2, false],
  [parseIpv6('2001::')!, 32, 6, true],
]

const globalUnicast = parseIpv6('2000::')!

/** The name of the range for which an address is refused; `undefined`: it is public. What is no address is refused. */
export function refusedRange(address: string): string | undefined {
  const ipv4 = parseIpv4(address)
  if (ipv4 !== undefined) return refusedRange4(ipv4)
  const groups = parseIpv6(address)
  return groups ? refusedRange6(groups) : 'not an address'
}

function refusedRange4(address: number): string | undefined {
  for (const [base, bits, name] of ranges4) if ((address ^ base) >>> (32 - bits) === 0) return name
  return undefined
}

function refusedRange6(groups: readonly number[]): string | undefined {
  for (const [base, bits, name] of ranges6) if (samePrefix(groups, base, bits)) return name
  let carried = false
  for (const [base, bits, at, inverted] of carriers) {
    if (!samePrefix(groups, base, bits)) continue
    carried = true
    const inside = ((groups[at]! << 16) | groups[at + 1]!) >>> 0
    const name = refusedRange4(inverted ? ~inside >>> 0 : inside)
    if (name) return `${name} inside IPv6`
  }
  return carried || samePrefix(groups, globalUnicast, 3) ? undefined : 'reserved'
}

function samePrefix(groups: readonly number[], base: readonly number[], bits: number): boolean {
  for (let i = 0, left = bits; left > 0; i++, left -= 16) {
    const mask = left >= 16 ? 0xffff : 0xffff & (0xffff << (16 - left))
    if ((groups[i]! ^ base[i]!) & mask) return false
  }
  return true
}

/** Four decimal parts only: other spellings (`127.1`, `0x7f.1`) are host names to us, and no resolver of ours answers them. */
export function parseIpv4(text: string): number | undefined {
  if (text.length < 7 || text.length > 15) return undefined
  const parts = text.split('.')
  if (parts.length !== 4) return undefined
  let address = 0
  for (const part of parts) {
    if (!/^(0|[1-9]\d{0,2})$/.test(part)) return undefined
    const byte = Number(part)
    if (byte > 255) return undefined
    address = address * 256 + byte
  }
  return address
}

/** Eight groups of 16 bits. A zone (`%eth0`) is ignored: it does not change what kind of address this is. */
export function parseIpv6(text: string): readonly number[] | undefined {
  const zone = text.indexOf('%')
  const bare = zone < 0 ? text : text.slice(0, zone)
  if (bare.length < 2 || bare.length > 45) return undefined
  const halves = bare.split('::')
  if (halves.length > 2) return undefined
  const head = parseGroups(halves[0]!, halves.length === 1)
  const tail = halves.length === 2 ? parseGroups(halves[1]!, true) : []
  if (!head || !tail) return undefined
  if (halves.length === 1) return head.length === 8 ? head : undefined
  const zeros = 8 - head.length - tail.length
  return zeros < 1 ? undefined : [...head, ...new Array<number>(zeros).fill(0), ...tail]
}

function parseGroups(text: string, mayEndInIpv4: boolean): number[] | undefined {
  if (text === '') return []
  const groups: number[] = []
  const parts = text.split(':')
  for (const [i, part] of parts.entries()) {
    if (/^[0-9a-f]{1,4}$/i.test(part)) {
      groups.push(Number.parseInt(part, 16))
      continue
    }
    const ipv4 = mayEndInIpv4 && i === parts.length - 1 ? parseIpv4(part) : undefined
    if (ipv4 === undefined) return undefined
    groups.push(ipv4 >>> 16, ipv4 & 0xffff)
  }
  return groups
}
