import * as z from 'zod'

export const discoveryConfig = z.strictObject({
  sitemaps: z.boolean().default(true).describe('Visit the sitemaps that robots.txt files name.'),
  usualPlaces: z
    .array(z.string().startsWith('/'))
    .default(['/sitemap.xml'])
    .describe('Where the hosts of the seeds are asked for a sitemap when their robots.txt names none.'),
  maxNesting: z
    .int()
    .min(0)
    .default(5)
    .describe('Sitemaps within sitemaps are followed so deep; further ones are counted as `sitemap-nesting`.'),
  mirrorPages: z
    .int()
    .min(0)
    .default(50)
    .describe(
      'Once so many pages of a host are copies of pages at the same places of another host, and nine in ten of all it has, its further URLs are excluded as `mirror`. 0: never.',
    ),
  softMissing: z
    .boolean()
    .default(true)
    .describe(
      'Where a page says that there is none although its status is 200, ask its host once for a page that cannot exist: pages like that answer are recorded as `soft-404`.',
    ),
})

export type DiscoveryConfig = z.infer<typeof discoveryConfig>
