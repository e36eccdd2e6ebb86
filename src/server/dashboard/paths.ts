/** The pages of the dashboard, each with the key that follows `g` to open it. What a page shows stands in its query. */
export const pages = [
  { path: '/', name: 'Overview', key: 'o' },
  { path: '/crawls', name: 'Crawls', key: 'c' },
  { path: '/hosts', name: 'Hosts', key: 'h' },
  { path: '/search', name: 'Search', key: 's' },
  { path: '/url', name: 'URL', key: 'u' },
  { path: '/dead', name: 'Dead letters', key: 'd' },
  { path: '/workers', name: 'Workers', key: 'w' },
  { path: '/alerts', name: 'Alerts', key: 'a' },
  { path: '/settings', name: 'Settings', key: 't' },
  { path: '/crawls/new', name: 'New crawl', key: 'n' },
  { path: '/page', name: 'Page', key: null },
] as const

export type PagePath = (typeof pages)[number]['path']

export const isPage = (path: string): path is PagePath => pages.some((page) => page.path === path)
