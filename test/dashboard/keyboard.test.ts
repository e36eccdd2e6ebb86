import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import type { Page } from 'playwright-core'
import { oneBigHost } from '../web/presets.ts'
import { openChromium, skipWithoutChromium } from './chromium.ts'
import { serveFolder } from './served-folder.ts'
import { visit } from './visit.ts'

const mostSteps = 40

suite('who has no mouse', { skip: skipWithoutChromium }, () => {
  test('starts a crawl, pauses it, decides for a host and finds a page', async () => {
    await using served = await serveFolder(oneBigHost(60))
    const browser = await openChromium()
    try {
      await using visited = await visit(browser, served.url)
      const { page } = visited
      const { keyboard } = page
      await page.goto('/')
      await page.getByText('Live', { exact: true }).waitFor()

      await keyboard.press('g')
      await keyboard.press('n')
      await stepTo(page, 'Seeds')
      await keyboard.type(served.web.seeds[0]!)
      await stepTo(page, 'Name')
      await keyboard.type('by-keys')
      await stepTo(page, 'Delay, ms')
      await keyboard.type('300')
      await stepTo(page, 'Other settings')
      await keyboard.press('Enter')
      await stepTo(page, 'Settings as JSON')
      await keyboard.insertText(served.settings)
      await stepTo(page, 'Start crawl')
      await keyboard.press('Enter')

      await page.getByRole('heading', { name: 'by-keys' }).waitFor()
      await page.locator('.head .badge', { hasText: 'running' }).waitFor()
      await page.locator('.figures div', { hasText: /^Pages[1-9]/ }).waitFor()
      await stepTo(page, 'Pause')
      await keyboard.press('Enter')
      await page.locator('.head .badge', { hasText: 'paused' }).waitFor()

      await keyboard.press('g')
      await keyboard.press('h')
      await page.getByRole('button', { name: /^Change big/ }).waitFor()
      await stepTo(page, /^Change big/)
      await keyboard.press('Enter')
      await page.getByRole('dialog').waitFor()
      await stepTo(page, 'Note')
      await keyboard.type('no haste')
      await keyboard.press('Enter')
      await page.getByRole('dialog').waitFor({ state: 'detached' })
      await page.getByText('no haste').waitFor()
      assert.match(await focused(page), /^Change big/, 'the focus is back where it was')

      await keyboard.press('g')
      await keyboard.press('s')
      await page.getByRole('searchbox', { name: 'Search pages' }).waitFor()
      await keyboard.press('/')
      await keyboard.type('site:big.test')
      await keyboard.press('Enter')
      await page.locator('.hit-title').first().waitFor()
      await stepTo(page, (await page.locator('.hit-title').first().textContent())!)
      await keyboard.press('Enter')
      await page.getByRole('link', { name: 'Markdown' }).waitFor()
    } finally {
      await browser.close()
    }
  })
})

/** What has the focus, by the name that is read aloud. */
const focused = (page: Page): Promise<string> =>
  page.evaluate<string>(`(({ activeElement: of }) =>
    of.getAttribute('aria-label') ?? of.labels?.[0]?.textContent ?? of.textContent)(document)`)

/** Goes on by Tab until something has the focus, which is seen to have it. */
async function stepTo(page: Page, name: string | RegExp): Promise<void> {
  const met: string[] = []
  for (let steps = 0; steps < mostSteps; steps++) {
    const here = (await focused(page)).trim()
    if (typeof name === 'string' ? here === name : name.test(here)) {
      const outline = await page.evaluate<string>('getComputedStyle(document.activeElement).outlineStyle')
      assert.notEqual(outline, 'none', `${here} does not show that it has the focus`)
      return
    }
    met.push(here.slice(0, 30))
    await page.keyboard.press('Tab')
  }
  assert.fail(`Tab does not lead to ${name}, only to ${met.join(', ')}`)
}
