import { useState } from 'preact/hooks'
import type { Configuration } from '../../../api/schemas/configuration.ts'
import { useAsk } from '../data/ask.ts'
import { moment } from '../data/format.ts'
import { hrefTo, place, show } from '../data/route.ts'
import { api, entry, may } from '../data/session.ts'
import { useStore } from '../data/store.ts'
import { Head } from '../parts/head.tsx'
import { Prose } from '../parts/prose.tsx'
import { SearchField } from '../parts/search-field.tsx'
import { Answered, Empty } from '../parts/states.tsx'
import { Tabs } from '../parts/tabs.tsx'

/** The settings in force, and who did what. Secrets do not leave the server. */
export function Settings() {
  const { query } = useStore(place)
  useStore(entry)
  const isAudit = query.get('view') === 'audit'
  return (
    <>
      <Head title="Settings" />
      <Tabs
        label="Settings"
        tabs={[
          { name: 'Settings in force', href: '/settings', isCurrent: !isAudit },
          { name: 'Audit log', href: hrefTo('/settings', { view: 'audit' }), isCurrent: isAudit },
        ]}
      />
      {may('admin') ? isAudit ? <Audit /> : <InForce /> : <Empty>Only an admin may see this.</Empty>}
    </>
  )
}

type Setting = Configuration['settings'][number]

function InForce() {
  const { query } = useStore(place)
  const [onlyChanged, setOnlyChanged] = useState(false)
  const search = query.get('q') ?? ''
  const asked = useAsk('settings', (signal) => api().getConfiguration({}, signal))
  const fits = ({ name, help, isDefault }: Setting) =>
    (!onlyChanged || !isDefault) && `${name} ${help}`.toLowerCase().includes(search.toLowerCase())
  return (
    <>
      <SearchField label="Search settings" verb="Search" value={search} submit={(q) => show({ q })} />
      <label class="row">
        <input
          type="checkbox"
          checked={onlyChanged}
          onChange={({ currentTarget }) => setOnlyChanged(currentTarget.checked)}
        />
        Only those that differ from their default
      </label>
      <Answered asked={asked}>
        {({ settings }) => {
          const listed = settings.filter(fits)
          return listed.length === 0 ? <Empty>No setting fits.</Empty> : <SettingTable settings={listed} />
        }}
      </Answered>
    </>
  )
}

function SettingTable({ settings }: { settings: readonly Setting[] }) {
  return (
    <div class="table-frame">
      <table class="cards thirds">
        <thead>
          <tr>
            <th scope="col">Setting</th>
            <th scope="col">Value</th>
            <th scope="col">What it does</th>
          </tr>
        </thead>
        <tbody>
          {settings.map(({ name, value, isDefault, help }) => (
            <tr key={name}>
              <th scope="row" class="mono">
                {name}
              </th>
              <td data-label="Value" class="wide">
                {value === '' ? <span class="soft">empty,</span> : <code>{inShort(value)}</code>}{' '}
                {isDefault ? <span class="soft">default</span> : <span class="badge accent">set</span>}
              </td>
              <td data-label="Does" class="wide soft">
                <Prose text={help} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

const shownCharacters = 120

function inShort(value: unknown): string {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? 'not set')
  return text.length > shownCharacters ? `${text.slice(0, shownCharacters)}…` : text
}

function Audit() {
  const asked = useAsk('audit', (signal) => api().listAudit({ query: { limit: 200 } }, signal), 5000)
  return (
    <Answered asked={asked}>
      {({ entries }) =>
        entries.length === 0 ? (
          <Empty>Nothing was done yet.</Empty>
        ) : (
          <div class="table-frame">
            <table class="cards">
              <thead>
                <tr>
                  <th scope="col">When</th>
                  <th scope="col">Who</th>
                  <th scope="col">From</th>
                  <th scope="col">What</th>
                  <th scope="col">To what</th>
                  <th scope="col">With</th>
                  <th scope="col" class="number">
                    Answer
                  </th>
                </tr>
              </thead>
              <tbody>
                {entries.map(({ at, who, role, from, action, target, status, details }, i) => (
                  <tr key={`${at} ${i}`}>
                    <th scope="row" class="nowrap">
                      {moment(at)}
                    </th>
                    <td data-label="Who">
                      {who}, {role}
                    </td>
                    <td data-label="From">{from}</td>
                    <td data-label="What">{action}</td>
                    <td data-label="To what" class={target === '' ? 'none' : ''}>
                      {target}
                    </td>
                    <td data-label="With" class={details === undefined ? 'none' : 'wide'}>
                      {details !== undefined && <code>{inShort(details)}</code>}
                    </td>
                    <td data-label="Answer" class="number">
                      {status}
                    </td>
                  </tr>
                ))}
              </tbody>
            </table>
          </div>
        )
      }
    </Answered>
  )
}
