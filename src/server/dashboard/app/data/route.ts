import { store } from './store.ts'

/** Where the reader is: the path of a page, and what it shows. */
export interface Place {
  readonly path: string
  readonly query: URLSearchParams
}

const here = (): Place => ({ path: location.pathname, query: new URLSearchParams(location.search) })

export const place = store<Place>(here())

/** Listens to the browser's own steps back and forth. */
export const followHistory = () => addEventListener('popstate', () => place.set(here()))

export function go(href: string, how: 'push' | 'replace' = 'push'): void {
  if (how === 'push') history.pushState(null, '', href)
  else history.replaceState(null, '', href)
  place.set(here())
}

/** Opens a page as following a link does: who reads it by keys or by ear begins at its top. */
export function openPage(href: string): void {
  go(href)
  scrollTo(0, 0)
  document.querySelector<HTMLElement>('main')?.focus({ preventScroll: true })
}

/** The address of a page that shows something; what is empty is left out. */
export function hrefTo(path: string, shown: Readonly<Record<string, string | number | undefined | null>> = {}): string {
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(shown))
    if (value !== undefined && value !== null && value !== '') query.set(name, String(value))
  const text = query.toString()
  return text === '' ? path : `${path}?${text}`
}

/** The page as it is, showing something else as well. */
export function show(
  changes: Readonly<Record<string, string | number | undefined | null>>,
  how: 'push' | 'replace' = 'push',
): void {
  const { path, query } = here()
  go(hrefTo(path, { ...Object.fromEntries(query), ...changes }), how)
}
