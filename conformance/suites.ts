import { pageLabels } from './charset-labels.ts'
import { encodingTables } from './charset-tables.ts'
import { htmlTrees } from './html.ts'
import { googleRobots } from './robots/google-tests.ts'
import { otherSitemaps } from './sitemaps.ts'
import type { Suite } from './suite.ts'
import { encodedQueries, internationalHosts, platformUrls } from './urls.ts'
import { otherArchives } from './warc.ts'

export const suites: readonly Suite[] = [
  googleRobots,
  platformUrls,
  internationalHosts,
  encodedQueries,
  htmlTrees,
  encodingTables,
  pageLabels,
  otherSitemaps,
  otherArchives,
]
