import * as z from 'zod'
import { crawlId, crawlState, frontierCounts } from './crawl.ts'
import { moment } from './paging.ts'
import { worker } from './worker.ts'

const share = z.number().min(0).max(1).nullable()

/** What charts draw: each of the last minute unless it says otherwise, and null where nothing can be told. */
export const vitals = z.object({
  at: moment,
  pagesPerSecond: z.number(),
  requestsPerSecond: z.number(),
  bytesPerSecond: z.number(),
  queued: z.number(),
  leased: z.number(),
  dead: z.number(),
  carried: z
    .number()
    .nullable()
    .describe('URLs that wait in Kafka, which the frontier has not seen yet; null: not known'),
  high: z.number().nullable().describe('URLs of this band: queued, leased or carried; null: not known'),
  medium: z.number().nullable(),
  low: z.number().nullable(),
  duplicateRate: share.describe('Copies among the pages'),
  fetchSuccess: share.describe('Attempts that brought an answer below 400'),
  parseSuccess: share.describe('Pages that could be parsed'),
  storageLagMs: z.number().nullable().describe('How long the oldest kept page waits to be safe, now'),
  errorsPerSecond: z.number(),
  errors: z.record(z.string(), z.number()).describe('By kind, in the last minute'),
  workers: z.int().describe('Alive'),
  cpuShare: z.number().nullable().describe('Cores in use over all workers'),
  memoryBytes: z.number().nullable().describe('Of all workers'),
})

export type Vitals = z.infer<typeof vitals>

export const crawlPulse = z.object({
  id: crawlId,
  state: crawlState,
  pages: z.number(),
  counts: frontierCounts,
  pagesPerSecond: z.number(),
  openHosts: z.int(),
  timeLeftMs: z.number().nullable(),
})

export type CrawlPulse = z.infer<typeof crawlPulse>

export const snapshot = z.object({
  ...vitals.shape,
  crawls: z.array(crawlPulse).describe('Those that are active, at most fifty'),
  workerList: z.array(worker).describe('At most fifty, the busiest first'),
  alertsFiring: z.int(),
  fault: z.string().nullable().describe('Why the figures are old; null: they are not'),
})

export type Snapshot = z.infer<typeof snapshot>

export const overview = z.object({
  kind: z.enum(['folder', 'fleet']),
  version: z.string(),
  now: snapshot,
  stepMs: z.int(),
  history: z.array(vitals).describe('The last hour, oldest first, a point for each step'),
})

export type Overview = z.infer<typeof overview>
