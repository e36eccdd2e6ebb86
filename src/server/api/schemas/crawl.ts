import * as z from 'zod'
import { moment, namesSomething } from './paging.ts'

export const crawlId = z
  .string()
  .regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/)
  .describe("The crawl's name")

export const crawlState = z
  .enum(['running', 'paused', 'stopping', 'finished', 'stopped', 'failed'])
  .describe('`stopping`: visits under way end, then it is `stopped`')

export type CrawlState = z.infer<typeof crawlState>

export const frontierCounts = z
  .object({
    admitted: z.number().describe('All URLs the crawl knows: the sum of the others'),
    queued: z.number(),
    leased: z.number().describe('Being visited'),
    done: z.number(),
    excluded: z.number(),
    dead: z.number().describe('Dead letters'),
  })
  .describe('URLs by state')

const counters = z.record(z.string(), z.number())

export const tally = z
  .object({
    pages: z.number(),
    duplicates: z.number(),
    nearDuplicates: z.number(),
    redirects: z.number(),
    others: z.number().describe('Answers that are no page'),
    failures: z.number().describe('Attempts that brought no answer'),
    requests: z.number(),
    bytes: z.number().describe('Bodies as received'),
    revisits: z.number().describe('Visits to URLs that had been visited before'),
    unchanged: z.number().describe('Those of them that found nothing new'),
    refused: counters.describe('Links not taken, by the rule that refused them'),
    errors: counters.describe('Failed attempts and answers with status 400 and above, by kind'),
    found: counters.describe('URLs that sitemaps and feeds list'),
  })
  .describe('What the crawl has done so far')

export const outlook = z
  .object({
    planned: z.number().describe('URLs that have a next visit'),
    overdue: z.number().describe('Those of them that are due'),
    nextAt: moment.nullable().describe('When the first of them is due'),
  })
  .describe('What is to be visited again')

export type Outlook = z.infer<typeof outlook>

export const crawlSummary = z.object({
  id: crawlId,
  state: crawlState,
  detail: z.string().describe('Why it is in this state, for people'),
  seedCount: z.int(),
  createdAt: moment,
  changedAt: moment,
})

export type CrawlSummary = z.infer<typeof crawlSummary>

export const crawlLimits = z.strictObject({
  maxPages: z.int().nonnegative().describe('Stop after so many pages. 0: no limit'),
  maxDurationMs: z.int().nonnegative().describe('Stop after so much time. 0: no limit'),
})

export const crawl = crawlSummary.extend({
  seeds: z.array(z.string()).describe('The first hundred'),
  settings: z.record(z.string(), z.unknown()).describe('As they were given, before defaults, secrets hidden'),
  limits: crawlLimits,
  delayMs: z.int().describe('Between two requests to a host, where nothing else is decided'),
  counts: frontierCounts,
  tally,
  outlook: outlook.nullable().describe('null: pages are visited once'),
  openHosts: z.int(),
  pagesPerSecond: z.number().nullable().describe('Of the last seconds; null: not known yet'),
  timeLeftMs: z.number().nullable().describe('Until its end as it goes now; null: cannot be told'),
})

export type Crawl = z.infer<typeof crawl>

export const newCrawl = z.strictObject({
  id: crawlId.optional().describe('Made of the first seed and the moment, unless given'),
  seeds: z.array(z.string().min(1).max(8192)).min(1).max(10_000).describe('URLs to start from; `example.com` will do'),
  settings: z
    .record(z.string(), z.unknown())
    .default({})
    .describe('Settings as in a configuration file, such as {"limits":{"maxPages":100}}; engines are the server’s'),
})

export type NewCrawl = z.infer<typeof newCrawl>

export const reindexing = z.object({
  done: z.boolean(),
  pages: z.int().nullable().describe('That can be found now; null: not done yet'),
})

export const crawlChanges = z
  .strictObject({
    maxPages: z.int().nonnegative().max(1e15).optional().describe('Stop after so many pages in all. 0: no limit'),
    maxDurationMs: z
      .int()
      .nonnegative()
      .max(1e13)
      .optional()
      .describe('Stop so long after the start of this run. 0: no limit'),
    delayMs: z.int().nonnegative().max(86_400_000).optional().describe('Between two requests to a host'),
    maxLinksPerPage: z.int().nonnegative().max(1e9).optional().describe('Links taken of each page. 0: all'),
  })
  .refine(namesSomething, 'names nothing to change')
  .meta({ minProperties: 1 })

export type CrawlChanges = z.infer<typeof crawlChanges>
