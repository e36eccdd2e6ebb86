import { useState } from 'preact/hooks'
import type { Crawl } from '../../../../api/schemas/crawl.ts'
import { act } from '../../data/act.ts'
import { api, may } from '../../data/session.ts'
import { NumberField } from '../../parts/fields.tsx'

/** Limits and rates, which may be changed while the crawl runs. Only what was changed is sent. */
export function LimitsForm({ crawl: { id, limits, delayMs }, changed }: { crawl: Crawl; changed: () => void }) {
  const [draft, setDraft] = useState<Readonly<Record<string, string>>>({})
  const edit = (name: string) => (text: string) => setDraft({ ...draft, [name]: text })
  const shownOf = (name: string, now: number) => draft[name] ?? String(now)
  async function submit(event: Event) {
    event.preventDefault()
    const { minutes, ...same } = Object.fromEntries(
      Object.entries(draft).map(([name, text]) => [name, Number(text)] as const),
    ) as { maxPages?: number; delayMs?: number; minutes?: number }
    const body = { ...same, ...(minutes === undefined ? {} : { maxDurationMs: Math.round(minutes * 60_000) }) }
    if (!(await act(() => api().changeCrawl({ params: { crawl: id }, body }), `${id} has new limits.`))) return
    setDraft({})
    changed()
  }
  return (
    <form class="panel form" onSubmit={submit}>
      <h2>Limits and rates</h2>
      <div class="form-columns">
        <NumberField
          label="Pages at most"
          hint="0: no limit"
          value={shownOf('maxPages', limits.maxPages)}
          edit={edit('maxPages')}
        />
        <NumberField
          label="Minutes at most"
          hint="0: no limit"
          step="any"
          value={shownOf('minutes', limits.maxDurationMs / 60_000)}
          edit={edit('minutes')}
        />
        <NumberField
          label="Delay, ms"
          hint="between requests to a host"
          value={shownOf('delayMs', delayMs)}
          edit={edit('delayMs')}
        />
      </div>
      {may('operator') && (
        <div class="row">
          <button type="submit" disabled={Object.keys(draft).length === 0}>
            Change
          </button>
        </div>
      )}
    </form>
  )
}
