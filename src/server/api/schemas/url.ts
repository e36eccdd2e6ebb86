import * as z from 'zod'
import { moment } from './paging.ts'

export const urlText = z.string().min(1).max(8192).describe('A URL; `example.com` will do')

export const band = z.enum(['high', 'medium', 'low'])

export const urlState = z.enum(['queued', 'leased', 'done', 'excluded', 'dead'])

export const urlEntry = z.object({
  url: z.string(),
  host: z.string(),
  state: urlState,
  band,
  depth: z.int().describe('Links away from a seed'),
  parent: z.string().nullable(),
  discoveredAt: moment,
  redirects: z.int(),
  attempts: z.int(),
  dueAt: z.number().nullable().describe('Not before this moment, when queued'),
  reason: z.string().nullable().describe('Why it was excluded, given up or put off'),
})

export const lifeEvent = z.object({
  at: z.number().nullable().describe('Milliseconds since 1970; null: not known'),
  kind: z.string(),
  detail: z.string(),
})

export const urlLife = z.object({
  url: z.string().describe('In the form that the crawl knows it by'),
  state: z.enum([...urlState.options, 'unknown']),
  entry: urlEntry.nullable().describe('null: the crawl never met it'),
  hasPage: z.boolean().describe('Whether a visit has brought an answer, which `page` shows'),
  events: z
    .array(lifeEvent)
    .describe('Its life, in order: who found it, what was decided, each visit, what comes next'),
})

export type UrlLife = z.infer<typeof urlLife>

export const offeredUrls = z.strictObject({
  urls: z.array(urlText).min(1).max(1000),
  band: band.default('high').describe('How soon it is visited'),
})

export type OfferedUrls = z.infer<typeof offeredUrls>

export const admission = z.object({
  given: z.string(),
  url: z.string().nullable().describe('In canonical form; null: it has none'),
  admission: z
    .enum(['admitted', 'known', 'excluded', 'over-budget', 'carried', 'refused'])
    .describe('`refused`: it is no URL, or does not belong to the crawl'),
  reason: z.string().nullable(),
})

export type AdmissionAnswer = z.infer<typeof admission>
