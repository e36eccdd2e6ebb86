import type { ComponentType } from 'preact'
import { isPage, type PagePath } from '../paths.ts'
import { Alerts } from './pages/alerts.tsx'
import { Crawls } from './pages/crawls.tsx'
import { DeadLetters } from './pages/dead-letters.tsx'
import { Hosts } from './pages/hosts.tsx'
import { NewCrawl } from './pages/new-crawl.tsx'
import { NotFound } from './pages/not-found.tsx'
import { Overview } from './pages/overview.tsx'
import { PageView } from './pages/page-view.tsx'
import { Search } from './pages/search.tsx'
import { Settings } from './pages/settings.tsx'
import { UrlLifePage } from './pages/url-life.tsx'
import { Workers } from './pages/workers.tsx'

const pagesByPath: Readonly<Record<PagePath, ComponentType>> = {
  '/': Overview,
  '/crawls': Crawls,
  '/crawls/new': NewCrawl,
  '/hosts': Hosts,
  '/search': Search,
  '/url': UrlLifePage,
  '/page': PageView,
  '/dead': DeadLetters,
  '/workers': Workers,
  '/alerts': Alerts,
  '/settings': Settings,
}

export const pageAt = (path: string): ComponentType => (isPage(path) ? pagesByPath[path] : NotFound)
