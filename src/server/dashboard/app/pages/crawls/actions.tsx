import { useState } from 'preact/hooks'
import type { Crawl } from '../../../../api/schemas/crawl.ts'
import { act } from '../../data/act.ts'
import { askCrawls } from '../../data/crawls.ts'
import { go } from '../../data/route.ts'
import { api, may } from '../../data/session.ts'
import { Confirm } from '../../parts/dialog.tsx'

const active = ['running', 'paused', 'stopping']

/** Pause, resume, stop, delete: those that make sense now. */
export function CrawlActions({ crawl: { id, state }, changed }: { crawl: Crawl; changed: () => void }) {
  const [asking, ask] = useState<'stop' | 'delete' | null>(null)
  const params = { crawl: id }
  const change = async (action: () => Promise<unknown>, done: string) => {
    if (await act(action, done)) changed()
  }
  if (!may('operator')) return null
  return (
    <div class="row">
      {state === 'running' && (
        <button type="button" onClick={() => change(() => api().pauseCrawl({ params }), `${id} is paused.`)}>
          Pause
        </button>
      )}
      {state !== 'running' && state !== 'stopping' && (
        <button type="button" onClick={() => change(() => api().resumeCrawl({ params }), `${id} goes on.`)}>
          Resume
        </button>
      )}
      {(state === 'running' || state === 'paused') && (
        <button type="button" onClick={() => ask('stop')}>
          Stop
        </button>
      )}
      {!active.includes(state) && may('admin') && (
        <button type="button" class="danger" onClick={() => ask('delete')}>
          Delete
        </button>
      )}
      {asking === 'stop' && (
        <Confirm
          title={`Stop ${id}?`}
          text="Visits under way end; what is queued stays queued, and it can be resumed."
          verb="Stop"
          close={() => ask(null)}
          confirmed={() => change(() => api().stopCrawl({ params }), `${id} stops.`)}
        />
      )}
      {asking === 'delete' && (
        <Confirm
          title={`Delete ${id}?`}
          text="Everything that it brought is forgotten: pages, index, archive. This cannot be taken back."
          verb="Delete"
          close={() => ask(null)}
          confirmed={async () => {
            if (!(await act(() => api().deleteCrawl({ params }), `${id} is deleted.`))) return
            await askCrawls()
            go('/crawls')
          }}
        />
      )}
    </div>
  )
}
