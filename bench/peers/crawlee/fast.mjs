import { Configuration, log } from '@crawlee/http'
import { MemoryStorage } from '@crawlee/memory-storage'

log.setLevel(log.LEVELS.OFF)

/** Queue in memory only, no sessions, and no slow climb to the number of requests at once. */
export const options = {
  minConcurrency: 20,
  maxConcurrency: 100,
  maxRequestRetries: 0,
  useSessionPool: false,
  persistCookiesPerSession: false,
  respectRobotsTxtFile: true,
  statisticsOptions: { saveErrorSnapshots: false, persistenceOptions: { enable: false } },
}

export const configuration = new Configuration({
  storageClient: new MemoryStorage({ persistStorage: false }),
  persistStorage: false,
})
