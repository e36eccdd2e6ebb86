import * as z from 'zod'

const names = (defaults: readonly string[]) => z.array(z.string().min(1)).default([...defaults])

const TRACKING = [
  ...['utm_*', 'gclid', 'gclsrc', 'dclid', 'gbraid', 'wbraid', 'gad_source', 'gad_campaignid', 'srsltid', '_ga', '_gl'],
  ...['fbclid', 'igshid', 'igsh', 'msclkid', 'twclid', 'ttclid', 'li_fat_id', 'yclid', 'ysclid', '_openstat', 'epik'],
  ...['mc_cid', 'mc_eid', '_hsenc', '_hsmi', '__hssc', '__hstc', '__hsfp', 'hsctatracking', 'hsa_*', 'mkt_tok'],
  ...['vero_id', 'vero_conv', 'oly_anon_id', 'oly_enc_id', 'wickedid', 's_kwcid', 'ef_id', 'zanpid', 'rb_clickid'],
  ...['pk_campaign', 'pk_kwd', 'pk_source', 'pk_medium', 'pk_content', 'piwik_*', 'mtm_*', 'matomo_*'],
]

const SESSIONS = ['phpsessid', 'jsessionid', 'aspsessionid*', 'asp.net_sessionid', 'cfid', 'cftoken', 'oscsid', 'zenid']

const SESSIONS_IF_ID = ['sid', 's', 'sess', 'sessid', 'session', 'sessionid', 'session_id', 'session-id', 'xtcsid']

const limit = (value: number) => z.int().min(1).default(value)

export const trapConfig = z.strictObject({
  maxPathSegments: limit(20).describe('Deeper paths are refused as `too-deep-path`.'),
  maxPathRepeats: z
    .int()
    .min(2)
    .default(3)
    .describe('So many equal segments, or runs of segments, in a row are a `path-loop`.'),
  maxSegmentBytes: limit(255).describe(
    'A longer path segment, counted without its escapes, is refused as `long-segment`.',
  ),
  maxParameters: limit(16).describe('More query parameters are refused as `too-many-parameters`.'),
  maxRepeatedParameter: limit(5).describe(
    'A parameter that stands more often in a query is refused as `repeated-parameter`.',
  ),
  maxFacets: limit(1000).describe(
    'URLs of one path with three parameters or more; further ones are refused as `facets`. This budget and the next three are exact, and in a fleet counted by each of its threads.',
  ),
  maxQueries: limit(100_000).describe('URLs of one path with any query; further ones are refused as `query-budget`.'),
  maxOfPattern: limit(200_000).describe(
    'URLs of a host whose paths differ in numbers only; further ones are refused as `pattern-budget`.',
  ),
  maxSubdomains: limit(2000).describe(
    'Hosts of one registrable domain that are followed, those of seeds in any case; URLs of further ones are refused as `subdomains`.',
  ),
  calendarYearsAhead: limit(5).describe('Calendar pages further in the future are refused as `calendar`.'),
  calendarYearsBack: limit(200).describe('Calendar pages further in the past are refused as `calendar`.'),
})

export const urlConfig = z.strictObject({
  maxUrlChars: z
    .int()
    .min(64)
    .max(65_536)
    .default(2048)
    .describe('Longer URLs, in canonical form, are refused as `too-long`.'),
  trackingParameters: names(TRACKING).describe(
    'Query parameters dropped as tracking. `*` stands for any text; case does not matter.',
  ),
  sessionParameters: names(SESSIONS).describe('Query and path (`;name=`) parameters dropped as session ids.'),
  sessionParametersIfId: names(SESSIONS_IF_ID).describe(
    'Parameters dropped as session ids only when their value looks like one: long and random.',
  ),
  dropParameters: names([]).describe('Further parameters that say nothing about the page.'),
  keepParameters: names([]).describe('Parameters never dropped, whatever the other lists say.'),
  tidyQuery: z
    .boolean()
    .default(true)
    .describe(
      'Sort query parameters by name, those of one name in their order, and leave out empty ones (`&&`, a bare `?`). Off: queries that differ in this way are different URLs.',
    ),
  dropRootDot: z
    .boolean()
    .default(true)
    .describe('Drop the dot at the end of a host name: `example.com.` is `example.com`.'),
  dropPathSessions: z
    .boolean()
    .default(true)
    .describe('Drop session ids written into the path: `;jsessionid=…` and `/(S(…))/`.'),
  scope: z
    .enum(['host', 'domain', 'prefix', 'any'])
    .default('host')
    .describe(
      'Which URLs belong to the crawl: the hosts of the seeds, their registrable domains, their folders, or any.',
    ),
  privateSuffixes: z
    .boolean()
    .default(true)
    .describe('Count suffixes such as `github.io` as public: then `a.github.io` and `b.github.io` are two domains.'),
  include: z
    .array(z.string())
    .default([])
    .describe('Only URLs that fit one of these patterns. `*` stands for any text; `re:` begins a regular expression.'),
  exclude: z.array(z.string()).default([]).describe('No URL that fits one of these patterns.'),
  traps: trapConfig.prefault({}).describe('Limits beyond which a URL is taken for a trap.'),
})

export type TrapConfig = z.infer<typeof trapConfig>
export type UrlConfig = z.infer<typeof urlConfig>
