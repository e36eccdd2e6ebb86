import { loopbackAddress } from '../../test/web/hosts.ts'

/** Enough that ten thousand connections do not run out of ports, few enough to listen on. */
const maxAddresses = 64

/** `site-00001.bench.test` is host 0. */
export function hostName(host: number): string {
  return `site-${String(host + 1).padStart(5, '0')}.bench.test`
}

/** Whoever comes by another name, such as an address, means the first host. */
export function hostOf(name: string, hosts: number): number {
  return knownHost(name, hosts) ?? 0
}

export function knownHost(name: string, hosts: number): number | undefined {
  const number = Number(/^site-(\d{5,})\.bench\.test$/i.exec(name)?.[1])
  return number >= 1 && number <= hosts ? number - 1 : undefined
}

export function addressOf(host: number, isShared: boolean): string {
  return isShared ? '127.0.0.1' : loopbackAddress(1 + (host % maxAddresses))
}

export function addressesOf(hosts: number, isShared: boolean): string[] {
  const count = isShared ? 0 : Math.min(hosts, maxAddresses)
  return ['127.0.0.1', ...Array.from({ length: count }, (_, host) => addressOf(host, isShared))]
}
