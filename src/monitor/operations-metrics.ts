import type { ScalingReport } from '../orchestrator/autoscaler.ts'
import type { Counters, CrawlCounters, WorkerCounters } from '../orchestrator/operations.ts'
import type { Alert } from '../server/api/schemas/alert.ts'
import { type Family, Instruments } from './instruments.ts'

/** A crawl or a whole fleet, as its operator sees it. */
export interface OperationsSeen {
  readonly counters: Counters
  readonly alerts: readonly Alert[]
  readonly scaling?: ScalingReport | undefined
  /** `undefined`: there is nobody to lead. */
  readonly leads?: boolean | undefined
}

/** Made anew each time: crawls and workers that are gone leave no series behind. */
export function operationsFamilies({ counters, alerts, scaling, leads }: OperationsSeen): Family[] {
  const instruments = new Instruments()
  for (const crawl of counters.crawls) countCrawl(instruments, crawl)
  for (const worker of counters.workers) countWorker(instruments, worker)
  for (const { id, severity, state } of alerts)
    instruments.set('orbweaver_alert_firing', state === 'firing' ? 1 : 0, id, severity)
  if (leads !== undefined) instruments.set('orbweaver_leads', leads ? 1 : 0)
  if (scaling) countScaling(instruments, scaling)
  return instruments.families()
}

function countCrawl(instruments: Instruments, { id, counts, bands, carried, tally, outlook }: CrawlCounters): void {
  for (const state of ['queued', 'leased', 'done', 'excluded', 'dead'] as const)
    instruments.set('orbweaver_crawl_urls', counts[state], id, state)
  for (const [band, urls] of Object.entries(bands ?? {})) instruments.set('orbweaver_crawl_band_urls', urls, id, band)
  if (carried !== null) instruments.set('orbweaver_crawl_carried_urls', carried, id)
  if (outlook) {
    instruments.set('orbweaver_crawl_planned_visits', outlook.planned, id)
    instruments.set('orbweaver_crawl_overdue_visits', outlook.overdue, id)
  }
  const { pages, redirects, others, failures, revisits, duplicates, nearDuplicates } = tally
  const outcomes = { page: pages, redirect: redirects, other: others, failed: failures, revisit: revisits }
  for (const [outcome, visits] of Object.entries(outcomes))
    instruments.set('orbweaver_crawl_visits_total', visits, id, outcome)
  instruments.set('orbweaver_crawl_copies_total', duplicates, id, 'duplicate')
  instruments.set('orbweaver_crawl_copies_total', nearDuplicates, id, 'near-duplicate')
  for (const [reason, times] of Object.entries(tally.errors))
    instruments.set('orbweaver_crawl_errors_total', times, id, reason)
  instruments.set('orbweaver_crawl_requests_total', tally.requests, id)
  instruments.set('orbweaver_crawl_received_bytes_total', tally.bytes, id)
}

function countWorker(instruments: Instruments, worker: WorkerCounters): void {
  const { id, role, alive, silentMs, pages, cpuMs, rssBytes, openHosts, receivedBytes, storageLagMs } = worker
  instruments.set('orbweaver_worker_alive', alive ? 1 : 0, id, role)
  instruments.set('orbweaver_worker_silent_seconds', silentMs / 1000, id)
  instruments.set('orbweaver_worker_pages_total', pages, id)
  instruments.set('orbweaver_worker_open_hosts', openHosts, id)
  if (cpuMs !== null) instruments.set('orbweaver_worker_cpu_seconds_total', cpuMs / 1000, id)
  if (rssBytes !== null) instruments.set('orbweaver_worker_memory_bytes', rssBytes, id)
  if (receivedBytes !== null) instruments.set('orbweaver_worker_received_bytes_total', receivedBytes, id)
  if (storageLagMs !== null) instruments.set('orbweaver_worker_storage_lag_seconds', storageLagMs / 1000, id)
  for (const [outcome, visits] of Object.entries(worker.outcomes ?? {}))
    instruments.set('orbweaver_worker_visits_total', visits, id, outcome)
  for (const [reason, times] of Object.entries(worker.errors ?? {}))
    instruments.set('orbweaver_worker_errors_total', times, id, reason)
}

function countScaling(instruments: Instruments, scaling: ScalingReport): void {
  instruments.set('orbweaver_scaling_workers', scaling.workers)
  instruments.set('orbweaver_scaling_wanted_workers', scaling.wantedWorkers)
  instruments.set('orbweaver_hosts_waiting', scaling.waitingHosts)
  instruments.set('orbweaver_hosts_served', scaling.servedHosts)
  instruments.set('orbweaver_hosts_waiting_oldest_seconds', scaling.oldestWaitMs / 1000)
}
