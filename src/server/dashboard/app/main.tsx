import { render } from 'preact'
import { isPage } from '../paths.ts'
import { followServer } from './data/live.ts'
import { followHistory, openPage } from './data/route.ts'
import { showTheme } from './data/theme.ts'
import { Shell } from './shell.tsx'

showTheme()
followHistory()
followLinks()
render(<Shell />, document.getElementById('app')!)
followServer()

/** Links between pages of the dashboard change what is shown, without loading it again. */
function followLinks(): void {
  document.addEventListener('click', (event) => {
    const isPlain = event.button === 0 && !event.ctrlKey && !event.metaKey && !event.shiftKey && !event.altKey
    const link = event.target instanceof Element ? event.target.closest('a') : null
    if (!isPlain || event.defaultPrevented || !link || link.target !== '') return
    if (link.origin !== location.origin || !isPage(link.pathname) || link.hash !== '') return
    event.preventDefault()
    openPage(link.pathname + link.search)
  })
}
