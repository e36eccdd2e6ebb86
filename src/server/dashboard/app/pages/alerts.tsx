import { useState } from 'preact/hooks'
import type { Alert } from '../../../api/schemas/alert.ts'
import { act } from '../data/act.ts'
import { useAsk } from '../data/ask.ts'
import { duration, moment } from '../data/format.ts'
import { showMeasure } from '../data/panels.ts'
import { api, may } from '../data/session.ts'
import { toneOf } from '../data/tones.ts'
import { Dialog } from '../parts/dialog.tsx'
import { ChoiceField, TextField } from '../parts/fields.tsx'
import { Head } from '../parts/head.tsx'
import { Prose } from '../parts/prose.tsx'
import { Answered, Empty } from '../parts/states.tsx'

/** Every rule and its state; what is done about it; silence. */
export function Alerts() {
  const [silencing, silence] = useState<Alert | null>(null)
  const asked = useAsk('alerts', (signal) => api().listAlerts({}, signal), 3000)
  return (
    <>
      <Head title="Alerts" />
      <Answered asked={asked}>
        {({ alerts }) =>
          alerts.length === 0 ? (
            <Empty>This server watches over no rules.</Empty>
          ) : (
            <AlertTable {...{ alerts, silence }} changed={asked.again} />
          )
        }
      </Answered>
      {silencing && <SilenceDialog alert={silencing} close={() => silence(null)} changed={asked.again} />}
    </>
  )
}

interface AlertTableParts {
  readonly alerts: readonly Alert[]
  readonly silence: (alert: Alert) => void
  readonly changed: () => void
}

function AlertTable({ alerts, silence, changed }: AlertTableParts) {
  return (
    <div class="table-frame">
      <table class="cards">
        <thead>
          <tr>
            <th scope="col">Alert</th>
            <th scope="col">State</th>
            <th scope="col" class="number">
              Value
            </th>
            <th scope="col" class="number">
              Threshold
            </th>
            <th scope="col">What it means</th>
            <th scope="col">What is done</th>
            <th scope="col">
              <span class="hidden-but-read">Actions</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {alerts.map((alert) => (
            <AlertRow key={alert.id} {...{ alert, silence, changed }} />
          ))}
        </tbody>
      </table>
    </div>
  )
}

interface AlertRowParts {
  readonly alert: Alert
  readonly silence: (alert: Alert) => void
  readonly changed: () => void
}

function AlertRow({ alert, silence, changed }: AlertRowParts) {
  const now = Date.now()
  const { id, title, severity, state, since, value, threshold, detail, action, silencedUntil } = alert
  // While all is well, advice is only there to be looked up.
  const tone = state === 'ok' ? 'soft' : ''
  const isSilent = silencedUntil !== null && silencedUntil > now
  const speakAgain = async () => {
    if (await act(() => api().unsilenceAlert({ params: { alert: id } }), `${title} is no longer silent.`)) changed()
  }
  return (
    <tr>
      <th scope="row">
        {title}
        <div class="hint">{id}</div>
      </th>
      <td data-label="State" class="wide">
        <span class="row">
          <span class={`badge ${toneOf(state === 'firing' ? severity : state)}`}>
            {state === 'firing' ? `firing, ${severity}` : state}
          </span>
          {isSilent && (
            <span class="badge" title={`until ${moment(silencedUntil)}`}>
              silent
            </span>
          )}
        </span>
        {since !== null && <div class="hint nowrap">for {duration(Math.max(0, now - since))}</div>}
      </td>
      <td data-label="Value" class="number">
        {value === null ? '–' : showMeasure(id, value)}
      </td>
      <td data-label="Threshold" class="number">
        {threshold === null ? '–' : showMeasure(id, threshold)}
      </td>
      <td data-label="Means" class={detail === '' ? 'none' : `wide ${tone}`}>
        <Prose text={detail} />
      </td>
      <td data-label="Done" class={action === '' ? 'none' : `wide ${tone}`}>
        <Prose text={action} />
      </td>
      <td class="actions">
        {may('operator') &&
          (isSilent ? (
            <button type="button" class="plain" onClick={speakAgain} aria-label={`End silence of ${title}`}>
              End silence
            </button>
          ) : (
            <button type="button" class="plain" onClick={() => silence(alert)} aria-label={`Silence ${title}`}>
              Silence
            </button>
          ))}
      </td>
    </tr>
  )
}

const times = [
  { value: '3600000', name: '1 hour' },
  { value: '14400000', name: '4 hours' },
  { value: '86400000', name: '1 day' },
  { value: '604800000', name: '1 week' },
]

function SilenceDialog({ alert, close, changed }: { alert: Alert; close: () => void; changed: () => void }) {
  const [forMs, setFor] = useState(times[0]!.value)
  const [note, setNote] = useState('')
  async function submit(event: Event) {
    event.preventDefault()
    const body = { forMs: Number(forMs), note }
    if (!(await act(() => api().silenceAlert({ params: { alert: alert.id }, body }), `${alert.title} is silent.`)))
      return
    changed()
    close()
  }
  return (
    <Dialog title={`Silence ${alert.title}`} close={close}>
      <form onSubmit={submit}>
        <ChoiceField label="Send no message for" value={forMs} edit={setFor} options={times} />
        <TextField label="Note" hint="why, for other operators" value={note} edit={setNote} />
        <div class="row">
          <button type="submit" class="primary">
            Silence
          </button>
          <button type="button" onClick={close}>
            Cancel
          </button>
        </div>
      </form>
    </Dialog>
  )
}
