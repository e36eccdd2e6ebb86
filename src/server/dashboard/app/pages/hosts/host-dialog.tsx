import { useState } from 'preact/hooks'
import type { Host } from '../../../../api/schemas/host.ts'
import { act } from '../../data/act.ts'
import { nextVisit, paceInWords, robotsInWords } from '../../data/host-words.ts'
import { api } from '../../data/session.ts'
import { Dialog } from '../../parts/dialog.tsx'
import { NumberField, TextField } from '../../parts/fields.tsx'

interface HostDialogParts {
  readonly host: Host
  readonly close: () => void
  readonly changed: () => void
}

/** What an operator decides for one host. It holds for its name, whatever the port. */
export function HostDialog({ host: shown, close, changed }: HostDialogParts) {
  const { host, setting } = shown
  const pattern = host.replace(/:\d+$/, '')
  const [block, setBlock] = useState(setting.block ?? false)
  const [pause, setPause] = useState(setting.pause ?? false)
  const [delay, setDelay] = useState(setting.delayMs === undefined ? '' : String(setting.delayMs))
  const [note, setNote] = useState(setting.note ?? '')

  async function save(event: Event) {
    event.preventDefault()
    const body: Host['setting'] = {
      ...(block ? { block } : {}),
      ...(pause ? { pause } : {}),
      ...(delay === '' ? {} : { delayMs: Number(delay) }),
      ...(note === '' ? {} : { note }),
    }
    if (!(await act(() => api().setHost({ params: { pattern }, body }), `It is decided for ${pattern}.`))) return
    changed()
    close()
  }

  return (
    <Dialog title={`Decide for ${pattern}`} close={close}>
      <HostFacts host={shown} />
      <form onSubmit={save}>
        <label class="row">
          <input type="checkbox" checked={pause} onChange={({ currentTarget }) => setPause(currentTarget.checked)} />
          Pause: fetch nothing until this is taken back
        </label>
        <label class="row">
          <input type="checkbox" checked={block} onChange={({ currentTarget }) => setBlock(currentTarget.checked)} />
          Block: fetch nothing more; what waits is excluded
        </label>
        <NumberField
          label="Delay, ms"
          hint="between two requests; empty: as the crawl says"
          value={delay}
          edit={setDelay}
        />
        <TextField label="Note" hint="why, for other operators" value={note} edit={setNote} />
        <div class="row">
          <button type="submit" class="primary">
            Save
          </button>
          <button type="button" onClick={close}>
            Cancel
          </button>
        </div>
      </form>
    </Dialog>
  )
}

/** What a table has no room for, or shows only to those who point. */
function HostFacts({ host }: { host: Host }) {
  const now = Date.now()
  return (
    <dl class="facts">
      <dt>Pace</dt>
      <dd>{paceInWords(host.gapMs)}</dd>
      <dt>Next visit</dt>
      <dd>{nextVisit(host, now)}</dd>
      {host.hold !== null && (
        <>
          <dt>Waits for</dt>
          <dd>{host.hold}</dd>
        </>
      )}
      <dt>robots.txt</dt>
      <dd>{robotsInWords(host.robots, now)}</dd>
    </dl>
  )
}
