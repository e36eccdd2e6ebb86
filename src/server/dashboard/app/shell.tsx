import { useEffect, useState } from 'preact/hooks'
import { followKeys } from './data/keys.ts'
import { place } from './data/route.ts'
import { entry } from './data/session.ts'
import { useStore } from './data/store.ts'
import { pageAt } from './pages.tsx'
import { Away } from './parts/away.tsx'
import { LastNotice } from './parts/notice.tsx'
import { ShortcutHelp } from './parts/shortcut-help.tsx'
import { TokenForm } from './parts/token-form.tsx'
import { Waiting } from './parts/waiting.tsx'
import { Side } from './side.tsx'

/** What stands around every page. */
export function Shell() {
  const { path } = useStore(place)
  const { kind } = useStore(entry)
  const [isHelping, setHelping] = useState(false)
  useEffect(() => followKeys(() => setHelping(true)), [])
  const Page = pageAt(path)
  return (
    <>
      <a class="skip" href="#main">
        Skip to the page
      </a>
      <div class="shell">
        <Side path={path} showHelp={() => setHelping(true)} />
        <main id="main" tabIndex={-1}>
          <Away />
          {kind === 'in' ? <Page key={path} /> : kind === 'locked' ? <TokenForm /> : <Waiting />}
        </main>
      </div>
      {isHelping && <ShortcutHelp close={() => setHelping(false)} />}
      <LastNotice />
    </>
  )
}
