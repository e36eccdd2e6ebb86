import * as z from 'zod'
import { urlText } from './url.ts'

export const scopeQuestion = z.strictObject({
  page: urlText.describe('The page whose links are judged; it is fetched now, if robots.txt allows'),
  seeds: z.array(urlText).max(1000).default([]).describe('Seeds of the crawl; none: the page itself'),
  settings: z.record(z.string(), z.unknown()).default({}).describe('Settings as in a configuration file'),
})

export type ScopeQuestion = z.infer<typeof scopeQuestion>

export const judgedLink = z.object({
  url: z.string(),
  taken: z.boolean(),
  reason: z.string().nullable().describe('The rule that refuses it: `out-of-scope`, `excluded-by-pattern`…'),
  detail: z.string().nullable().describe('What decided: the host, the pattern'),
})

export const scopePreview = z.object({
  page: z.string(),
  status: z.int().nullable(),
  title: z.string(),
  taken: z.int(),
  refused: z.record(z.string(), z.int()).describe('How many links each rule refuses'),
  links: z.array(judgedLink).describe('In order of the page; at most a thousand'),
})

export type ScopePreview = z.infer<typeof scopePreview>
