import { getDomain } from 'tldts'
import { canonicalRules, canonicalUrl } from '../../src/url/canonical.ts'
import { urlConfig } from '../../src/url/config.ts'
import { registrableDomain } from '../../src/url/keys.ts'
import type { Stage, Way } from './measure.ts'
import type { Sample } from './samples.ts'

const rules = canonicalRules(urlConfig.parse({}))

const forEachLink = (name: string, work: (url: string) => unknown): Way => ({
  name,
  open: () => ({
    page({ page }) {
      for (const { url } of page.links) work(url)
    },
  }),
})

/** Every link of a page made canonical. The others only parse it: tracking parameters and escapes stay as they are. */
export const urls: Stage = {
  name: 'url',
  ways: async () => [
    forEachLink('ours', (url) => canonicalUrl(url, undefined, rules)),
    forEachLink('new URL, href', (url) => new URL(url).href),
    forEachLink('URL.parse, hash dropped, query sorted', (text) => {
      const url = URL.parse(text)
      if (!url) return
      url.hash = ''
      url.searchParams.sort()
      return url.href
    }),
  ],
}

const forEachHost = (name: string, work: (hostname: string) => unknown): Way => ({
  name,
  open(samples) {
    const hosts = new Map(samples.map((sample): [Sample, string[]] => [sample, hostsOf(sample)]))
    return {
      page(sample) {
        for (const hostname of hosts.get(sample)!) work(hostname)
      },
    }
  },
})

const hostsOf = ({ page }: Sample) => page.links.flatMap(({ url }) => URL.parse(url)?.hostname ?? [])

/** The registrable domain of every link of a page. */
export const domains: Stage = {
  name: 'domain',
  ways: async () => [
    forEachHost('ours', (hostname) => registrableDomain(hostname)),
    forEachHost('tldts', (hostname) => getDomain(hostname, { allowPrivateDomains: true })),
  ],
}
