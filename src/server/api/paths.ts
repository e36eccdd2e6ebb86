/**
 * Where each operation is: method and path. Plain text, apart from the schemas, so that the client in a browser needs
 * nothing else.
 */
export const paths = {
  listCrawls: 'GET /v1/crawls',
  createCrawl: 'POST /v1/crawls',
  getCrawl: 'GET /v1/crawls/{crawl}',
  changeCrawl: 'PATCH /v1/crawls/{crawl}',
  deleteCrawl: 'DELETE /v1/crawls/{crawl}',
  pauseCrawl: 'POST /v1/crawls/{crawl}/pause',
  resumeCrawl: 'POST /v1/crawls/{crawl}/resume',
  stopCrawl: 'POST /v1/crawls/{crawl}/stop',
  reindexCrawl: 'POST /v1/crawls/{crawl}/reindex',

  offerUrls: 'POST /v1/crawls/{crawl}/urls',
  explainUrl: 'GET /v1/crawls/{crawl}/url',

  getPage: 'GET /v1/crawls/{crawl}/page',
  getPageRecord: 'GET /v1/crawls/{crawl}/page/record',
  getPageText: 'GET /v1/crawls/{crawl}/page/text',
  getPageMarkdown: 'GET /v1/crawls/{crawl}/page/markdown',
  getPageRaw: 'GET /v1/crawls/{crawl}/page/raw',
  getPageHeaders: 'GET /v1/crawls/{crawl}/page/headers',
  getPageLinks: 'GET /v1/crawls/{crawl}/page/links',
  exportRecords: 'GET /v1/crawls/{crawl}/records',
  search: 'GET /v1/crawls/{crawl}/search',

  listHosts: 'GET /v1/crawls/{crawl}/hosts',
  getHost: 'GET /v1/crawls/{crawl}/hosts/{host}',
  listHostSettings: 'GET /v1/host-settings',
  setHost: 'PUT /v1/host-settings/{pattern}',
  forgetHost: 'DELETE /v1/host-settings/{pattern}',
  blockHost: 'POST /v1/host-settings/{pattern}/block',
  unblockHost: 'POST /v1/host-settings/{pattern}/unblock',
  pauseHost: 'POST /v1/host-settings/{pattern}/pause',
  resumeHost: 'POST /v1/host-settings/{pattern}/resume',

  listDeadLetters: 'GET /v1/crawls/{crawl}/dead',
  listDeadReasons: 'GET /v1/crawls/{crawl}/dead/reasons',
  retryDeadLetters: 'POST /v1/crawls/{crawl}/dead/retry',
  dropDeadLetters: 'POST /v1/crawls/{crawl}/dead/drop',

  listWorkers: 'GET /v1/workers',
  getScaling: 'GET /v1/scaling',
  listAlerts: 'GET /v1/alerts',
  silenceAlert: 'POST /v1/alerts/{alert}/silence',
  unsilenceAlert: 'DELETE /v1/alerts/{alert}/silence',

  previewScope: 'POST /v1/scope-preview',
  getOverview: 'GET /v1/overview',
  getConfiguration: 'GET /v1/configuration',
  getSession: 'GET /v1/session',
  listAudit: 'GET /v1/audit',
  getHealth: 'GET /healthz',
  getReadiness: 'GET /readyz',
} as const satisfies Readonly<Record<string, `${'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'} /${string}`>>

export type OperationName = keyof typeof paths
