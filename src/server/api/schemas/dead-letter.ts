import * as z from 'zod'
import { hostKey } from './host.ts'
import { namesSomething } from './paging.ts'
import { urlEntry, urlText } from './url.ts'

/** What a dead letter's reason means for who looks after the crawl. */
export const reasonClass = z
  .enum(['network', 'dns', 'tls', 'server', 'robots', 'waiting', 'limit', 'content', 'program', 'other'])
  .describe(
    'network: no connection or no answer; dns: the name; tls: the certificate; server: its error answers; robots: robots.txt could not be had; waiting: it asked for more patience than there was; limit: too large, too slow; content: it cannot be read; program: a fault of ours',
  )

export type ReasonClass = z.infer<typeof reasonClass>

export const deadLetter = urlEntry.extend({ class: reasonClass })

export type DeadLetter = z.infer<typeof deadLetter>

export const deadFilter = z.strictObject({
  reason: z.string().min(1).max(500).optional().describe('Only those given up for this reason'),
  host: hostKey.optional().describe('Only those of this host'),
  pattern: z.string().min(1).max(2000).optional().describe('Only URLs that fit (* is any text)'),
})

export const deadSelection = z
  .strictObject({
    ...deadFilter.shape,
    urls: z.array(urlText).min(1).max(1000).optional().describe('Just these'),
    all: z.literal(true).optional().describe('Every dead letter of the crawl'),
  })
  .refine(namesSomething, 'says of which: reason, host, pattern, urls, or all')
  .meta({ description: 'Which dead letters: those that fit everything given', minProperties: 1 })

export type DeadSelection = z.infer<typeof deadSelection>

export const deadPage = z.object({
  total: z.int().describe('Dead letters of the crawl, whether they fit or not'),
  letters: z.array(deadLetter),
  more: z.boolean(),
})

export const deadReason = z.object({
  reason: z.string(),
  class: reasonClass,
  count: z.int(),
  example: z.string(),
})

export const deadReasons = z.object({
  reasons: z.array(deadReason).describe('The most frequent first'),
  complete: z.boolean().describe('Whether all dead letters were looked at, not only the first hundred thousand'),
})

export type DeadReasons = z.infer<typeof deadReasons>
