import { z } from 'zod'
import { hostDecision } from '../../politeness/host-decisions.ts'
import type { OperationName } from './paths.ts'
import type { Route } from './route.ts'
import { alert, silence } from './schemas/alert.ts'
import { configuration } from './schemas/configuration.ts'
import { crawl, crawlChanges, crawlId, crawlSummary, newCrawl, reindexing } from './schemas/crawl.ts'
import { deadFilter, deadPage, deadReasons, deadSelection } from './schemas/dead-letter.ts'
import { health } from './schemas/health.ts'
import { host, hostKey, hostPage, hostPattern, hostSettingEntry, hostSort, sortOrder } from './schemas/host.ts'
import { overview } from './schemas/overview.ts'
import { page, pageLinks, pageRecord } from './schemas/page.ts'
import { changed, limit, maxHits, offset } from './schemas/paging.ts'
import { scaling } from './schemas/scaling.ts'
import { scopePreview, scopeQuestion } from './schemas/scope-preview.ts'
import { searchAnswer } from './schemas/search.ts'
import { auditEntry, session } from './schemas/session.ts'
import { admission, offeredUrls, urlLife, urlText } from './schemas/url.ts'
import { worker } from './schemas/worker.ts'

const ofCrawl = z.object({ crawl: crawlId })
const ofHost = z.object({ pattern: hostPattern })
const ofAlert = z.object({ alert: z.string().min(1).max(100) })
const byUrl = z.strictObject({ url: urlText })

/** The API, as data. Where each operation is stands in `paths.ts`. */
export const routes = {
  listCrawls: {
    tag: 'crawls',
    summary: 'Crawls, the newest first',
    role: 'viewer',
    query: z.strictObject({ limit: limit(100, 1000) }),
    answer: z.object({ crawls: z.array(crawlSummary) }),
  },
  createCrawl: {
    tag: 'crawls',
    summary: 'Starts a crawl',
    role: 'operator',
    body: newCrawl,
    answer: crawl,
    status: 201,
    problems: [409],
  },
  getCrawl: {
    tag: 'crawls',
    summary: 'A crawl: its orders, what it has done, what is left',
    role: 'viewer',
    params: ofCrawl,
    answer: crawl,
    problems: [404],
  },
  changeCrawl: {
    tag: 'crawls',
    summary: 'Changes limits and rates, also while it runs',
    role: 'operator',
    params: ofCrawl,
    body: crawlChanges,
    answer: crawl,
    problems: [404, 409],
  },
  deleteCrawl: {
    tag: 'crawls',
    summary: 'Forgets a crawl that has ended, with all that it brought',
    role: 'admin',
    params: ofCrawl,
    answer: 'nothing',
    status: 204,
    problems: [404, 409],
  },
  pauseCrawl: {
    tag: 'crawls',
    summary: 'Begins no further visit until it is resumed',
    role: 'operator',
    params: ofCrawl,
    answer: crawl,
    problems: [404, 409],
  },
  resumeCrawl: {
    tag: 'crawls',
    summary: 'Goes on with a crawl that was paused, stopped or has ended',
    role: 'operator',
    params: ofCrawl,
    answer: crawl,
    problems: [404, 409],
  },
  stopCrawl: {
    tag: 'crawls',
    summary: 'Ends a crawl in order; what is queued stays queued',
    role: 'operator',
    params: ofCrawl,
    answer: crawl,
    problems: [404, 409],
  },
  reindexCrawl: {
    tag: 'crawls',
    summary:
      "Builds the search index of a fleet's crawl anew from its records; a line now and then, the last with `done`",
    role: 'operator',
    params: ofCrawl,
    answer: { lines: reindexing },
    problems: [404, 409],
  },
  offerUrls: {
    tag: 'urls',
    summary: 'Offers URLs to a crawl; answers what became of each, in order',
    role: 'operator',
    params: ofCrawl,
    body: offeredUrls,
    answer: z.object({ admissions: z.array(admission) }),
    problems: [404, 409],
  },
  explainUrl: {
    tag: 'urls',
    summary: 'The life of a URL: who found it, what was decided, each visit, what comes next',
    role: 'viewer',
    params: ofCrawl,
    query: byUrl,
    answer: urlLife,
    problems: [404],
  },
  getPage: {
    tag: 'pages',
    summary: 'What is known of a page, with its visits',
    role: 'viewer',
    params: ofCrawl,
    query: byUrl,
    answer: page,
    problems: [404],
  },
  getPageRecord: {
    tag: 'pages',
    summary: 'The whole record of a page, its text and links included',
    role: 'viewer',
    params: ofCrawl,
    query: byUrl,
    answer: pageRecord,
    problems: [404],
  },
  getPageText: {
    tag: 'pages',
    summary: 'The readable text of a page',
    role: 'viewer',
    params: ofCrawl,
    query: byUrl,
    answer: 'text',
    problems: [404],
  },
  getPageMarkdown: {
    tag: 'pages',
    summary: 'A page as Markdown, made of its archived source',
    role: 'viewer',
    params: ofCrawl,
    query: byUrl,
    answer: 'text',
    problems: [404],
  },
  getPageRaw: {
    tag: 'pages',
    summary: 'The archived source of a page, always as plain text: nothing of it can run',
    role: 'viewer',
    params: ofCrawl,
    query: byUrl,
    answer: 'text',
    problems: [404],
  },
  getPageHeaders: {
    tag: 'pages',
    summary: 'Status and headers of the archived answer',
    role: 'viewer',
    params: ofCrawl,
    query: byUrl,
    answer: z.object({ status: z.int(), headers: z.array(z.tuple([z.string(), z.string()])) }),
    problems: [404],
  },
  getPageLinks: {
    tag: 'pages',
    summary: 'Links of a page (out), or pages that named it first (in)',
    role: 'viewer',
    params: ofCrawl,
    query: byUrl.extend({ direction: z.enum(['out', 'in']).default('out'), limit: limit(100), offset }),
    answer: pageLinks,
    problems: [404],
  },
  exportRecords: {
    tag: 'pages',
    summary: 'All pages in the order of their storing, with text and links: a record as JSON in each line',
    role: 'viewer',
    params: ofCrawl,
    query: z.strictObject({
      all: z.boolean().default(false).describe('Redirects and other answers too, not only pages'),
    }),
    answer: { lines: pageRecord },
    problems: [404],
  },
  search: {
    tag: 'search',
    summary: 'Full text: words, "phrases", -without, prefix*, site:, lang:, after:, before:, title:',
    role: 'viewer',
    params: ofCrawl,
    query: z.strictObject({ q: z.string().max(1000), limit: limit(10, maxHits), offset }),
    answer: searchAnswer,
    problems: [404],
  },
  listHosts: {
    tag: 'hosts',
    summary: 'Hosts of a crawl, some at a time',
    role: 'viewer',
    params: ofCrawl,
    query: z.strictObject({
      search: z.string().max(255).default('').describe('Only names that contain this'),
      sort: hostSort.default('urls'),
      order: sortOrder.default('desc'),
      limit: limit(50),
      offset,
    }),
    answer: hostPage,
    problems: [404],
  },
  getHost: {
    tag: 'hosts',
    summary: 'A host of a crawl',
    role: 'viewer',
    params: ofCrawl.extend({ host: hostKey }),
    answer: host,
    problems: [404],
  },
  listHostSettings: {
    tag: 'hosts',
    summary: 'What operators have decided for hosts',
    role: 'viewer',
    answer: z.object({ settings: z.array(hostSettingEntry) }),
  },
  setHost: {
    tag: 'hosts',
    summary: 'Decides for a host, or *.domain, in place of what was decided before',
    role: 'operator',
    params: ofHost,
    body: hostDecision,
    answer: hostSettingEntry,
    problems: [409],
  },
  forgetHost: {
    tag: 'hosts',
    summary: 'Takes back what was decided for a host',
    role: 'operator',
    params: ofHost,
    answer: 'nothing',
    status: 204,
    problems: [404, 409],
  },
  blockHost: hostAction('Fetches nothing more from a host; what is queued is excluded'),
  unblockHost: hostAction('Takes back that a host is blocked; what was excluded meanwhile stays so'),
  pauseHost: hostAction('Fetches nothing from a host until it is resumed'),
  resumeHost: hostAction('Goes on with a host that was paused'),
  listDeadLetters: {
    tag: 'dead letters',
    summary: 'Dead letters, some at a time',
    role: 'viewer',
    params: ofCrawl,
    query: deadFilter.extend({ limit: limit(100), offset }),
    answer: deadPage,
    problems: [404],
  },
  listDeadReasons: {
    tag: 'dead letters',
    summary: 'Dead letters by reason',
    role: 'viewer',
    params: ofCrawl,
    query: deadFilter,
    answer: deadReasons,
    problems: [404],
  },
  retryDeadLetters: {
    tag: 'dead letters',
    summary: 'Queues dead letters again, with fresh attempts',
    role: 'operator',
    params: ofCrawl,
    body: deadSelection,
    answer: changed,
    problems: [404, 409],
  },
  dropDeadLetters: {
    tag: 'dead letters',
    summary: 'Excludes dead letters for good',
    role: 'operator',
    params: ofCrawl,
    body: deadSelection,
    answer: changed,
    problems: [404, 409],
  },
  listWorkers: {
    tag: 'workers',
    summary: 'Who works, and how hard',
    role: 'viewer',
    answer: z.object({ workers: z.array(worker) }),
  },
  getScaling: {
    tag: 'workers',
    summary: 'How many workers the load of a fleet asks for, and why',
    role: 'viewer',
    answer: scaling,
    problems: [404],
  },
  listAlerts: {
    tag: 'alerts',
    summary: 'Every rule and its state; those that fire first',
    role: 'viewer',
    answer: z.object({ alerts: z.array(alert) }),
  },
  silenceAlert: {
    tag: 'alerts',
    summary: 'Sends no message of an alert for some time',
    role: 'operator',
    params: ofAlert,
    body: silence,
    answer: alert,
    problems: [404],
  },
  unsilenceAlert: {
    tag: 'alerts',
    summary: 'Takes back a silence',
    role: 'operator',
    params: ofAlert,
    answer: alert,
    problems: [404],
  },
  previewScope: {
    tag: 'crawls',
    summary: 'Which links of a page a crawl would take, and why not',
    role: 'operator',
    body: scopeQuestion,
    answer: scopePreview,
    problems: [422],
  },
  getOverview: {
    tag: 'overview',
    summary: 'How everything goes now, and the last hour',
    role: 'viewer',
    answer: overview,
  },
  getConfiguration: {
    tag: 'server',
    summary: 'The settings in force, secrets hidden',
    role: 'admin',
    answer: configuration,
  },
  getSession: { tag: 'server', summary: 'Who is asking', role: 'viewer', answer: session },
  listAudit: {
    tag: 'server',
    summary: 'What was done by whom, the latest first',
    role: 'admin',
    query: z.strictObject({ limit: limit(100, 1000) }),
    answer: z.object({ entries: z.array(auditEntry) }),
  },
  getHealth: { tag: 'server', summary: 'Whether this process lives', role: null, answer: health },
  getReadiness: {
    tag: 'server',
    summary: 'Whether everything it needs answers',
    role: null,
    answer: health,
    problems: [503],
  },
} as const satisfies Readonly<Record<OperationName, Route>>

export type Routes = typeof routes

function hostAction<const Summary extends string>(summary: Summary) {
  return {
    tag: 'hosts',
    summary,
    role: 'operator',
    params: ofHost,
    answer: hostSettingEntry,
    problems: [409],
  } as const satisfies Route
}
