import type { Part } from './part.ts'
import { charset, html, markdown, sitemap } from './reading.ts'
import { pattern, query, robots, url } from './rules.ts'
import { answers, encoding, headers, warc } from './wire.ts'

export const parts: readonly Part[] = [
  ...[html, markdown, charset, sitemap],
  ...[robots, url, pattern, query],
  ...[headers, answers, encoding, warc],
]
