import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { withEncodedQuery } from '../src/parse/query-encoding.ts'
import { canonicalRules, canonicalUrl } from '../src/url/canonical.ts'
import { urlConfig } from '../src/url/config.ts'
import { type Suite, Tally } from './suite.ts'

interface UrlCase {
  readonly input: string
  readonly base?: string | null
  readonly href?: string
  readonly failure?: boolean
}

interface HostCase {
  readonly input: string
  readonly output: string | null
}

const WPT = { repository: 'ada-url/ada', commit: '308110b26b32d12db492d460a41e57932366269d' }
const rules = canonicalRules({ ...urlConfig.parse({}), maxUrlChars: 65_536 })

const casesIn = <Case>(folder: string, file: string) =>
  (JSON.parse(readFileSync(join(folder, file), 'utf8')) as (Case | string)[]).filter(
    (one): one is Case => typeof one !== 'string',
  )

/** The web platform's URL tests: the platform's parser, and the canonical form built on it. */
export const platformUrls: Suite = {
  ...WPT,
  title: 'URLs: `urltestdata.json` of the web platform tests (the copy that ada keeps)',
  subject: 'the platform’s `URL`, and `src/url/canonical.ts` on it',
  paths: ['tests/wpt/urltestdata.json'],
  run(folder) {
    const tally = new Tally()
    for (const one of casesIn<UrlCase>(folder, 'tests/wpt/urltestdata.json')) {
      const base = one.base ?? undefined
      const name = `${JSON.stringify(one.input)} against ${base ?? 'nothing'}`
      const href = URL.parse(one.input, base)?.href
      tally.check(one.failure === true ? href === undefined : href === one.href, name)
      tally.check(isSoundCanonical(one.input, base, href), `canonical form of ${name}`)
    }
    return tally
  },
}

/** A refusal where there is no web URL; else a URL that is canonical already, of the same scheme, host and path length. */
function isSoundCanonical(text: string, base: string | undefined, href: string | undefined): boolean {
  const { url, refusal } = canonicalUrl(text, base, rules)
  if (href === undefined) return refusal === 'invalid'
  if (!/^https?:/.test(href)) return refusal === 'scheme'
  if (url === undefined) return new URL(href).hostname.endsWith('..') || new URL(href).hostname === '.'
  const again = canonicalUrl(url, undefined, rules).url
  const [ours, theirs] = [new URL(url), new URL(href)]
  return again === url && ours.href === url && ours.protocol === theirs.protocol && ours.port === theirs.port
}

/** Names of hosts beyond ASCII, and names that are none. */
export const internationalHosts: Suite = {
  ...WPT,
  title: 'Host names: `toascii.json` and `IdnaTestV2.json` of the web platform tests',
  subject: '`src/url/canonical.ts`',
  paths: ['tests/wpt/toascii.json', 'tests/wpt/IdnaTestV2.json'],
  run(folder) {
    const tally = new Tally()
    for (const file of this.paths)
      for (const { input, output } of casesIn<HostCase>(folder, file)) {
        if (input === '') continue
        const { url } = canonicalUrl(`https://${input}/x`, undefined, rules)
        const expected = output === null || isRooted(output) ? undefined : `https://${output.replace(/\.$/, '')}/x`
        const isSame = url === expected || (output !== null && isRooted(output) && url === undefined)
        tally.check(isSame, `${file}: ${JSON.stringify(input)}`, reasonFor(input, output, url))
      }
    return tally
  },
}

interface QueryCase {
  readonly input: string
  readonly output: Readonly<Record<string, string>>
}

const ISO_2022 = 'queries of pages in ISO-2022-JP are written in UTF-8; hardly any such pages are left'

/** How a query is written on a page in another encoding. */
export const encodedQueries: Suite = {
  ...WPT,
  title: 'Queries in the encoding of their page: `percent-encoding.json` of the web platform tests',
  subject: '`src/parse/query-encoding.ts`',
  paths: ['tests/wpt/percent-encoding.json'],
  run(folder) {
    const tally = new Tally()
    for (const { input, output } of casesIn<QueryCase>(folder, 'tests/wpt/percent-encoding.json'))
      for (const [charset, expected] of Object.entries(output)) {
        const { search } = new URL(withEncodedQuery(`https://x.test/?${input}`, charset))
        const reason = charset === 'iso-2022-jp' ? ISO_2022 : undefined
        tally.check(search === `?${expected}`, `${JSON.stringify(input)} in ${charset}`, reason)
      }
    return tally
  },
}

/** A name whose last label is empty once the dot of its root is gone. */
const isRooted = (name: string) => /(^|\.)\.$/.test(name) || name === '.'

function reasonFor(input: string, output: string | null, url: string | undefined): string | undefined {
  const platform = URL.parse(`https://${input}/x`)?.hostname
  const same = platform === undefined ? url === undefined : url === `https://${platform.replace(/\.$/, '')}/x`
  return same && platform !== output
    ? 'the platform’s own parser answers so (its Unicode tables are of another version)'
    : undefined
}
