import { useState } from 'preact/hooks'
import type { Cursor } from '../chart/chart.tsx'
import { useAsk } from '../data/ask.ts'
import { fittingSpan } from '../data/history.ts'
import { live } from '../data/live.ts'
import { figures, thresholdsOf } from '../data/panels.ts'
import { api } from '../data/session.ts'
import { useStore } from '../data/store.ts'
import { Head } from '../parts/head.tsx'
import { Waiting } from '../parts/waiting.tsx'
import { ActiveCrawls } from './overview/active-crawls.tsx'
import { ErrorsPanel } from './overview/errors-panel.tsx'
import { FigurePanel } from './overview/figure-panel.tsx'
import { FrontierPanel } from './overview/frontier-panel.tsx'
import { WorkersPanel } from './overview/workers-panel.tsx'

const spans = [
  { ms: 60_000, name: '1 min' },
  { ms: 300_000, name: '5 min' },
  { ms: 900_000, name: '15 min' },
  { ms: 3_600_000, name: '1 h' },
] as const

export function Overview() {
  const { now, history } = useStore(live)
  const alerts = useAsk('thresholds', (signal) => api().listAlerts({}, signal), 30_000)
  const [pointed, point] = useState<number | null>(null)
  const [chosen, choose] = useState<number | null>(null)
  if (now === null) return <Waiting />
  const spanMs = chosen ?? fittingSpan(history)
  const cursor: Cursor = { at: pointed, point }
  const thresholds = thresholdsOf(alerts.answer?.alerts ?? [])
  const view = { now, history, thresholds, spanMs, cursor }
  return (
    <>
      <Head title="Overview">
        <label class="row">
          <span class="soft">Show the last</span>
          <select class="narrow" value={spanMs} onChange={({ currentTarget }) => choose(Number(currentTarget.value))}>
            {spans.map(({ ms, name }) => (
              <option key={ms} value={ms}>
                {name}
              </option>
            ))}
          </select>
        </label>
      </Head>
      {now.alertsFiring > 0 && (
        <div class="notice bad">
          {now.alertsFiring === 1 ? 'An alert is firing.' : `${now.alertsFiring} alerts are firing.`}{' '}
          <a href="/alerts">See which</a>
        </div>
      )}
      <div class="panels">
        <FigurePanel {...view} figure={figures.throughput} />
        <FrontierPanel {...view} />
        <FigurePanel {...view} figure={figures.duplicates} />
        <FigurePanel {...view} figure={figures.fetched} />
        <FigurePanel {...view} figure={figures.parsed} />
        <FigurePanel {...view} figure={figures.storage} />
        <WorkersPanel {...view} />
        <ErrorsPanel {...view} />
      </div>
      <ActiveCrawls crawls={now.crawls} />
    </>
  )
}
