/** Every metric, as data. Names are promises: they are never changed, and dashboards and rules are checked against them. */
export interface Metric {
  readonly type: 'counter' | 'gauge' | 'histogram'
  readonly help: string
  readonly labels: readonly string[]
  /** Upper bounds, of histograms. */
  readonly buckets?: readonly number[]
}

const counter = (help: string, ...labels: string[]): Metric => ({ type: 'counter', help, labels })
const gauge = (help: string, ...labels: string[]): Metric => ({ type: 'gauge', help, labels })
const seconds = (help: string, ...labels: string[]): Metric => ({
  ...{ type: 'histogram', help, labels },
  buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
})

/** Of one process that crawls. */
const ofWorkers = {
  orbweaver_visits_total: counter(
    'Visits that were settled, by what they brought (page, redirect, other, failed, revisit).',
    'outcome',
  ),
  orbweaver_visit_errors_total: counter(
    'Attempts without an answer and answers with status 400 and above, by code.',
    'reason',
  ),
  orbweaver_settlements_total: counter('URLs settled, by what follows (done, retry, excluded, dead).', 'kind'),
  orbweaver_pages_total: counter('Pages, by whether others were alike (original, duplicate, near-duplicate).', 'copy'),
  orbweaver_received_bytes_total: counter('Bytes of bodies, as received.'),
  orbweaver_requests_total: counter('Requests that were made, also for robots.txt.'),
  orbweaver_fetch_seconds: seconds('Time from request to the end of its answer.'),
  orbweaver_visit_seconds: seconds('Time from the first touch of a URL until it is settled and safe.'),
  orbweaver_stage_seconds: seconds('Time of each stage of a visit.', 'stage'),
  orbweaver_parse_failures_total: counter('Answers that killed the thread that read them.'),
  orbweaver_offers_total: counter('URLs offered to the frontier, by its answer.', 'admission'),
  orbweaver_links_refused_total: counter('Links that were not offered, by the rule that refused them.', 'rule'),
  orbweaver_robots_total: counter('robots.txt files asked for, by whether there are rules.', 'answer'),
  orbweaver_leases_lost_total: counter('Leases that passed to another holder before they were released.'),
  orbweaver_safe_group_seconds: seconds('Time in which the pages of a group became safe in the engines.'),
  orbweaver_storage_lag_seconds: gauge('How long the oldest pages that are not yet safe have been waiting.'),
  orbweaver_engine_away: gauge('Whether an engine is being waited for (1) or answers (0).', 'engine'),
  orbweaver_engine_faults_total: counter('Requests to an engine that had to be repeated.', 'engine'),
} as const satisfies Record<string, Metric>

/** Of every process. */
const ofProcesses = {
  orbweaver_build_info: gauge('The version that runs; always 1.', 'version'),
  orbweaver_process_cpu_seconds_total: counter('CPU time of the process, all threads.'),
  orbweaver_process_resident_memory_bytes: gauge('Memory of the process.'),
  orbweaver_process_event_loop_delay_seconds: gauge('How late the main thread was at worst since the last look.'),
} as const satisfies Record<string, Metric>

/** Of a whole crawl or fleet, as the orchestrator sees it. */
const ofFleets = {
  orbweaver_crawl_urls: gauge('URLs of a crawl, by state (queued, leased, done, excluded, dead).', 'crawl', 'state'),
  orbweaver_crawl_band_urls: gauge(
    'URLs of a crawl that are queued, leased or carried, by band (high, medium, low).',
    ...['crawl', 'band'],
  ),
  orbweaver_crawl_carried_urls: gauge('URLs that wait in Kafka, which the frontier has not seen yet.', 'crawl'),
  orbweaver_crawl_planned_visits: gauge('URLs of a crawl that are to be visited again.', 'crawl'),
  orbweaver_crawl_overdue_visits: gauge('Those of them that are due, and not yet handed over.', 'crawl'),
  orbweaver_crawl_visits_total: counter('Settled visits of a crawl, by what they brought.', 'crawl', 'outcome'),
  orbweaver_crawl_copies_total: counter('Pages of a crawl that were alike, by kind.', 'crawl', 'copy'),
  orbweaver_crawl_errors_total: counter('Errors of a crawl, by code.', 'crawl', 'reason'),
  orbweaver_crawl_requests_total: counter('Requests of a crawl.', 'crawl'),
  orbweaver_crawl_received_bytes_total: counter('Bytes of bodies that a crawl has received.', 'crawl'),
  orbweaver_worker_alive: gauge('Whether a worker has given a sign of life in the last 10 s.', 'worker', 'role'),
  orbweaver_worker_silent_seconds: gauge("Time since a worker's last sign of life.", 'worker'),
  orbweaver_worker_pages_total: counter('Pages that a worker has brought.', 'worker'),
  orbweaver_worker_visits_total: counter("A worker's settled visits, by what they brought.", 'worker', 'outcome'),
  orbweaver_worker_errors_total: counter("A worker's errors, by code.", 'worker', 'reason'),
  orbweaver_worker_received_bytes_total: counter('Bytes of bodies that a worker has received.', 'worker'),
  orbweaver_worker_cpu_seconds_total: counter('CPU time of a worker.', 'worker'),
  orbweaver_worker_memory_bytes: gauge('Memory of a worker.', 'worker'),
  orbweaver_worker_open_hosts: gauge('Hosts that a worker holds.', 'worker'),
  orbweaver_worker_storage_lag_seconds: gauge(
    "How long a worker's oldest pages have been waiting to be safe.",
    'worker',
  ),
  orbweaver_hosts_waiting: gauge(
    'Hosts that might be touched now and are not: nobody has taken them, or their holder is busy.',
  ),
  orbweaver_hosts_waiting_oldest_seconds: gauge('How long the first of them has been waiting.'),
  orbweaver_hosts_served: gauge('Hosts that workers hold and have room for.'),
  orbweaver_scaling_workers: gauge('Workers that live.'),
  orbweaver_scaling_wanted_workers: gauge('Workers that the load asks for.'),
  orbweaver_leads: gauge('Whether this process leads the fleet.'),
  orbweaver_alert_firing: gauge('Whether an alert is firing.', 'alert', 'severity'),
} as const satisfies Record<string, Metric>

export const catalog = { ...ofWorkers, ...ofProcesses, ...ofFleets } as const

export type MetricName = keyof typeof catalog
