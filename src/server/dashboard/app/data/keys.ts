import { pages } from '../../paths.ts'
import { go, openPage } from './route.ts'

const leaderMs = 1500

/** `/` goes to the search field, `g` and a letter open a page, `?` shows all of them. Keys that a field takes are left to it. */
export function followKeys(showHelp: () => void): void {
  let ledAt = Number.NEGATIVE_INFINITY
  addEventListener('keydown', (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || takesText(event.target)) return
    const led = event.timeStamp - ledAt < leaderMs
    ledAt = Number.NEGATIVE_INFINITY
    const page = led && pages.find(({ key }) => key === event.key)
    if (page) openPage(page.path)
    else if (event.key === 'g') ledAt = event.timeStamp
    else if (event.key === '/') focusSearch()
    else if (event.key === '?') showHelp()
    else return
    event.preventDefault()
  })
}

function focusSearch(): void {
  const field = document.querySelector<HTMLInputElement>('main input[type=search]')
  if (field) field.select()
  else go('/search')
}

function takesText(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName))
}
