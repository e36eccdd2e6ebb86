import { mkdirSync } from 'node:fs'
import { resolve } from 'node:path'
import type { Browser } from 'playwright-core'
import { openChromium } from './chromium.ts'
import { stagedFleet, stagedSnapshot } from './staged-fleet.ts'
import { stagedServer } from './staged-server.ts'
import { loaded, visit } from './visit.ts'

/**
 * Takes the pictures of docs/dashboard.md anew: `node test/dashboard/screenshots.ts`. With a folder it takes every page
 * there, in light, dark and on a phone, for whoever wants to look at all of them.
 */
const [elsewhere] = process.argv.slice(2)
const folder = resolve(elsewhere ?? resolve(import.meta.dirname, '../../docs/dashboard'))

const desk = { viewport: { width: 1280, height: 800 } }
const phone = { viewport: { width: 360, height: 740 } }
const inCrawl = 'crawl=news-2026'
const aUrl = `${inCrawl}&url=https%3A%2F%2Fnews.example%2Fa`

const pictures = [
  ['overview', '/'],
  ['crawls', '/crawls'],
  ['crawl', `/crawls?${inCrawl}`],
  ['new-crawl', '/crawls/new'],
  ['hosts', `/hosts?${inCrawl}`],
  ['search', `/search?${inCrawl}&q=orb`],
  ['url', `/url?${aUrl}`],
  ['page', `/page?${aUrl}&view=facts`],
  ['dead-letters', `/dead?${inCrawl}`],
  ['workers', '/workers'],
  ['alerts', '/alerts'],
  ['settings', '/settings'],
] as const

const inTheDark = ['overview', 'hosts', 'alerts']
const onThePhone = ['overview', 'hosts', 'search', 'dead-letters']

async function take(browser: Browser, url: string, suffix: string, options: object, names: readonly string[]) {
  await using visited = await visit(browser, url, options)
  const { page } = visited
  for (const [name, path] of pictures.filter(([one]) => names.includes(one))) {
    await page.goto(path)
    await page.getByText('Live', { exact: true }).waitFor({ state: 'attached' })
    if (name === 'new-crawl') {
      await page.getByLabel('Seeds').fill('https://news.example/\nhttps://example.org/docs/')
      await page.getByRole('button', { name: 'Preview' }).click()
    }
    await loaded(page)
    await page.waitForTimeout(500)
    await page.screenshot({ path: `${folder}/${name}${suffix}.png` })
  }
}

mkdirSync(folder, { recursive: true })
await using server = await stagedServer(stagedFleet, stagedSnapshot)
const browser = await openChromium()
const all = pictures.map(([name]) => name)
await take(browser, server.url, '', { ...desk, colorScheme: 'light' }, all)
await take(browser, server.url, '-dark', { ...desk, colorScheme: 'dark' }, elsewhere ? all : inTheDark)
await take(browser, server.url, '-phone', { ...phone, colorScheme: 'light' }, elsewhere ? all : onThePhone)
await browser.close()
