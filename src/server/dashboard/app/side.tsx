import { useEffect, useState } from 'preact/hooks'
import { pages } from '../paths.ts'
import { live } from './data/live.ts'
import { entry } from './data/session.ts'
import { useStore } from './data/store.ts'
import { nextTheme, theme } from './data/theme.ts'

const listed = pages.filter(({ path }) => path !== '/page' && path !== '/crawls/new')

/** The way to every page, and whether the server is there. */
export function Side({ path, showHelp }: { path: string; showHelp: () => void }) {
  const [isOpen, setOpen] = useState(false)
  useEffect(() => setOpen(false), [path])
  const { now, state } = useStore(live)
  const firing = now?.alertsFiring ?? 0
  return (
    <header class={isOpen ? 'side open' : 'side'}>
      <div class="side-top">
        <a class="brand" href="/">
          <img src="/icon.svg" alt="" />
          Orbweaver
        </a>
        {state === 'offline' && (
          <span class="menu-button badge bad" aria-hidden="true">
            Offline
          </span>
        )}
        <button type="button" class="menu-button" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          Menu
        </button>
      </div>
      <nav class="nav" aria-label="Pages">
        <ul>
          {listed.map((page) => (
            <li key={page.path}>
              <a href={page.path} aria-current={isCurrent(page.path, path) ? 'page' : undefined}>
                {page.name}
                {page.path === '/alerts' && firing > 0 && <span class="badge bad">{firing}</span>}
              </a>
            </li>
          ))}
        </ul>
      </nav>
      <div class="side-foot">
        <Connection />
        <Who />
        <ThemeSwitch />
        <button type="button" onClick={showHelp}>
          Shortcuts <kbd>?</kbd>
        </button>
      </div>
    </header>
  )
}

const isCurrent = (page: string, path: string) =>
  page === path || (page === '/crawls' && path === '/crawls/new') || (page === '/search' && path === '/page')

const connections = {
  connecting: { tone: '', text: 'Connecting…' },
  live: { tone: 'good', text: 'Live' },
  offline: { tone: 'bad', text: 'Offline, trying again…' },
} as const

function Connection() {
  const { state } = useStore(live)
  const { tone, text } = connections[state]
  return (
    <div class="connection" role="status">
      <span class={`dot ${tone}`} aria-hidden="true" />
      {text}
    </div>
  )
}

function Who() {
  const at = useStore(entry)
  if (at.kind !== 'in') return null
  const { name, role, version } = at.session
  return (
    <div class="soft">
      {name}, {role}
      <br />
      Version {version}
    </div>
  )
}

function ThemeSwitch() {
  const chosen = useStore(theme)
  return (
    <button type="button" onClick={nextTheme} aria-label={`Colours: ${chosen}. Change`}>
      Colours: {chosen}
    </button>
  )
}
