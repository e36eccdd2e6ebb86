import * as z from 'zod'
import { moment } from './paging.ts'

export const visitKind = z.enum(['page', 'redirect', 'other', 'failed', 'excluded'])

export const visit = z.object({
  at: moment,
  kind: visitKind,
  status: z.int().nullable(),
  durationMs: z.number(),
  bytes: z.number(),
  detail: z.string(),
})

export const warcPlace = z.object({ file: z.string(), offset: z.number(), length: z.number() })

export const page = z.object({
  url: z.string(),
  finalUrl: z.string().describe('Where it led: the target of a redirect, else the URL itself'),
  kind: visitKind,
  status: z.int().nullable(),
  contentType: z.string(),
  title: z.string(),
  description: z.string(),
  keywords: z.array(z.string()),
  lang: z.string(),
  canonical: z.string(),
  publishedAt: z.string(),
  noindex: z.boolean(),
  textLength: z.int(),
  linkCount: z.int(),
  contentHash: z.string(),
  simhash: z.string(),
  duplicateOf: z.string().nullable(),
  nearDuplicateOf: z.string().nullable(),
  depth: z.int(),
  parent: z.string().nullable(),
  fetchedAt: moment,
  warc: warcPlace.nullable(),
  visits: z.array(visit).describe('Oldest first; of many the latest'),
})

export type PageAnswer = z.infer<typeof page>

/** For machines that want all of it at once. */
export const pageRecord = page.omit({ textLength: true, linkCount: true, visits: true }).extend({
  text: z.string(),
  links: z.array(z.string()),
})

export const pageLink = z.object({
  url: z.string(),
  state: z.string().describe('What the crawl knows of it: `done`, `queued`…, or `unknown`'),
})

export const pageLinks = z.object({
  total: z.int().nullable().describe('null: this store cannot count them'),
  links: z.array(pageLink),
})
