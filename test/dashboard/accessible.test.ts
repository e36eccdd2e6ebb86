import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import type { Browser } from 'playwright-core'
import { openChromium, skipWithoutChromium } from './chromium.ts'
import { stagedFleet, stagedSnapshot } from './staged-fleet.ts'
import { type Stage, type StagedServer, stagedServer } from './staged-server.ts'
import { accessFaults, desk, phone, sidewaysPixels, visit } from './visit.ts'

const inCrawl = 'crawl=news-2026'
const aUrl = `${inCrawl}&url=https%3A%2F%2Fnews.example%2Fa`

/** Each page with something that stands on it once it has its answer. */
const places = [
  ['/', 'Active crawl'],
  ['/crawls', 'docs-mirror'],
  [`/crawls?${inCrawl}`, 'Links not taken, by rule'],
  ['/crawls/new', 'Which links would be taken?'],
  [`/hosts?${inCrawl}`, 'news.site-0000001.example'],
  [`/search?${inCrawl}&q=orb`, 'About orbs'],
  [`/url?${aUrl}`, 'found'],
  [`/page?${aUrl}`, 'An orb weaver builds'],
  [`/page?${aUrl}&view=links`, 'Pages that named it first'],
  [`/page?${aUrl}&view=history`, 'What it brought'],
  [`/page?${aUrl}&view=facts`, 'SimHash'],
  [`/dead?${inCrawl}`, 'Retry all'],
  ['/workers', 'worker-08'],
  ['/alerts', 'A worker has fallen silent'],
  ['/settings', 'politeness.delayMs'],
  ['/settings?view=audit', 'pauseCrawl'],
] as const

/** What another layout could break. */
const narrowRules = ['target-size', 'scrollable-region-focusable', 'td-headers-attr', 'list', 'definition-list']

suite('every page of the dashboard', { skip: skipWithoutChromium }, () => {
  let browser: Browser
  let server: StagedServer
  before(async () => {
    server = await stagedServer(stagedFleet, stagedSnapshot)
    browser = await openChromium()
  })
  after(async () => {
    await browser?.close()
    await server?.[Symbol.asyncDispose]()
  })

  test('can be used by everybody, in light and dark, and fits a phone without scrolling sideways', async () => {
    await using visited = await visit(browser, server.url)
    const { page, faults } = visited
    for (const [path, text] of places) {
      await page.setViewportSize(desk.viewport)
      await page.emulateMedia({ colorScheme: 'light' })
      await page.goto(path)
      await page.getByText(text).first().waitFor()
      assert.deepEqual(await accessFaults(page), [], path)
      await page.setViewportSize({ width: 1280, height: 800 })
      assert.equal(await sidewaysPixels(page), 0, `${path} on a small screen`)
      await page.emulateMedia({ colorScheme: 'dark' })
      assert.deepEqual(await accessFaults(page, ['color-contrast']), [], `${path} in the dark`)
      await page.setViewportSize(phone.viewport)
      assert.equal(await sidewaysPixels(page), 0, `${path} on a phone`)
      assert.deepEqual(await accessFaults(page, narrowRules), [], `${path} on a phone`)
    }
    assert.deepEqual(faults, [])
  })

  test('can be used by everybody where there is nothing to show yet', async () => {
    const nothing: Stage = { ...stagedFleet, listCrawls: () => ({ crawls: [] }), listWorkers: () => ({ workers: [] }) }
    await using empty = await stagedServer(nothing, () => ({ ...stagedSnapshot(), crawls: [], workerList: [] }))
    await using visited = await visit(browser, empty.url)
    const { page } = visited
    for (const path of ['/', '/crawls', '/hosts', '/search', '/dead', '/workers', '/nowhere']) {
      await page.goto(path)
      await page.locator('.state:not(.loading)').first().waitFor()
      assert.deepEqual(await accessFaults(page), [], path)
    }
  })

  test('has a menu on a phone', async () => {
    await using visited = await visit(browser, server.url, phone)
    const { page } = visited
    await page.goto('/')
    await page.getByRole('button', { name: 'Menu' }).click()
    await page.getByRole('link', { name: 'Hosts' }).click()
    await page.getByText('news.site-0000001.example').waitFor()
    assert.equal(await page.getByRole('link', { name: 'Hosts' }).isVisible(), false)
  })

  test('is reached by keys alone', async () => {
    await using visited = await visit(browser, server.url)
    const { page } = visited
    await page.goto('/')
    await page.getByText('Active crawl').waitFor()
    // The first stop is the way past the menu.
    await page.keyboard.press('Tab')
    assert.equal(await page.evaluate('document.activeElement.textContent'), 'Skip to the page')
    await page.keyboard.press('g')
    await page.keyboard.press('h')
    await page.getByRole('searchbox', { name: 'Search hosts by name' }).waitFor()
    await page.keyboard.press('/')
    await page.keyboard.type('g h0000007')
    assert.equal(await page.getByRole('searchbox').inputValue(), 'g h0000007', 'a field keeps its letters')
    await page.keyboard.press('Escape')
    await page.getByRole('searchbox').blur()
    await page.keyboard.press('?')
    await page.getByRole('heading', { name: 'Shortcuts' }).waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
  })

  test('keeps the colours that the reader has chosen', async () => {
    await using visited = await visit(browser, server.url, { ...desk, colorScheme: 'light' })
    const { page } = visited
    const ground = () => page.evaluate<string>('getComputedStyle(document.documentElement).backgroundColor')
    await page.goto('/')
    const light = await ground()
    await page.getByRole('button', { name: 'Colours: system' }).click()
    await page.getByRole('button', { name: 'Colours: light' }).click()
    const dark = await ground()
    assert.notEqual(dark, light)
    await page.reload()
    await page.getByRole('button', { name: 'Colours: dark' }).waitFor()
    assert.equal(await ground(), dark)
  })
})
