import * as z from 'zod'
import { obeyConfig } from './obey.ts'

const limit = (value: number) => z.int().min(0).default(value)

export const parseConfig = z.strictObject({
  obey: obeyConfig.prefault({}).describe('Which wishes of pages are honoured.'),
  maxTitleChars: limit(500).describe('A longer title is cut.'),
  maxDescriptionChars: limit(2000).describe('A longer description is cut.'),
  maxKeywords: limit(50).describe('Keywords kept of each page.'),
  maxKeywordChars: limit(100).describe('A longer keyword is cut.'),
  maxTextBytes: limit(1_000_000).describe('Visible text kept of each page, in bytes of UTF-8.'),
  maxLinks: limit(10_000).describe('Links taken from each page; those behind are ignored.'),
  maxUrlChars: limit(4096).describe('Links, canonical and base URLs longer than this are ignored.'),
  maxAnchorChars: limit(200).describe('A longer text of a link is cut.'),
  maxOpenGraph: limit(50).describe('Open Graph properties kept of each page.'),
  maxOpenGraphChars: limit(2000).describe('A longer value of an Open Graph property is cut.'),
  maxJsonLdBlocks: limit(20).describe('JSON-LD blocks read of each page.'),
  documents: z.boolean().default(true).describe('Read the text of PDF and Office files.'),
  maxDocumentMs: z
    .int()
    .min(1)
    .default(20_000)
    .describe('For each PDF or Office file; one that takes longer is not read.'),
  maxDocumentPages: z.int().min(1).default(1000).describe('Pages, slides or sheets read of each file.'),
  maxDocumentMemoryMb: z.int().min(64).default(512).describe('Memory of the thread that reads such files.'),
  maxSitemapBytes: limit(52_428_800).describe('Read of each sitemap and feed, inflated; what is behind is ignored.'),
  maxSitemapUrls: limit(50_000).describe('URLs taken from each sitemap and feed.'),
  maxJsonLdBytes: limit(262_144).describe(
    'JSON-LD read of each page, all blocks together; what is over it is ignored.',
  ),
})

export type ParseConfig = z.infer<typeof parseConfig>
