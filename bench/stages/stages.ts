import { archive } from './archive.ts'
import { frontier } from './frontier.ts'
import { hashes } from './hash.ts'
import { httpClient } from './http.ts'
import { index } from './index.ts'
import { inflate } from './inflate.ts'
import { language } from './language.ts'
import type { Stage } from './measure.ts'
import { linkParsing, parsing } from './parse.ts'
import { records } from './records.ts'
import { simhashes } from './simhash.ts'
import { domains, urls } from './url.ts'

/** In the order in which a page passes them. */
export const STAGES: readonly Stage[] = [
  httpClient,
  inflate,
  parsing,
  linkParsing,
  language,
  urls,
  domains,
  hashes,
  simhashes,
  archive,
  records,
  index,
  frontier,
]
