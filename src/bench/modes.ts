/** What `orbweaver bench` can measure. */
export interface Mode {
  readonly name: string
  readonly summary: string
  readonly pages: number
  readonly hosts: number
  readonly tls: boolean
  readonly keepAlive: boolean
}

/** Crawls of a whole site with everything on. */
export const crawlModes: readonly Mode[] = [
  { name: 'one-host', summary: 'one host, connections kept', pages: 5000, hosts: 1, tls: false, keepAlive: true },
  { name: '500-hosts', summary: '500 hosts at once', pages: 10_000, hosts: 500, tls: false, keepAlive: true },
  {
    ...{ name: '10000-hosts', summary: '10,000 hosts, a connection and robots.txt each' },
    ...{ pages: 20_000, hosts: 10_000, tls: false, keepAlive: true },
  },
  {
    ...{ name: 'https', summary: 'HTTPS, a fresh connection for every page' },
    ...{ pages: 2000, hosts: 10, tls: true, keepAlive: false },
  },
]

export const growthMode = 'growth'

export const modeNames: readonly string[] = [...crawlModes.map(({ name }) => name), growthMode]

/** The same in small, to see that it works: its times mean little, its counts are exact all the same. */
export function smokeOf(mode: Mode): Mode {
  const hosts = Math.min(mode.hosts, 20)
  return { ...mode, hosts, pages: 15 * Math.max(hosts, 20) }
}
