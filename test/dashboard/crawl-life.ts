import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { openChromium, skipWithoutChromium } from './chromium.ts'
import { hostileTitle } from './odd-site.ts'
import type { ServedCrawls } from './served-folder.ts'
import { loaded, type Visit, visit } from './visit.ts'

/** One crawl from its order to its end, as an operator lives through it: each test goes on where the one before ended. */
export function crawlLife(over: string, serve: () => Promise<ServedCrawls>, skip: string | false = false): void {
  suite(`a crawl over ${over}, from the form to its pages`, { skip: skipWithoutChromium || skip }, () => {
    let browser: Browser
    let served: ServedCrawls
    let visited: Visit
    let page: Page
    before(async () => {
      served = await serve()
      browser = await openChromium()
      visited = await visit(browser, served.url)
      page = visited.page
    })
    after(async () => {
      await browser?.close()
      await served?.[Symbol.asyncDispose]()
    })

    const state = () => page.locator('.head .badge').textContent()
    const stateIs = (wanted: string) => page.locator('.head .badge', { hasText: wanted }).waitFor({ timeout: 30_000 })
    const figure = async (name: string) => {
      const text = await page
        .locator('.figures div', { has: page.getByText(name, { exact: true }) })
        .locator('dd')
        .textContent()
      return Number(text?.replaceAll(',', ''))
    }

    test('the form shows which links would be taken, and why not the others', async () => {
      await page.goto('/')
      await page.getByText('No crawl is active.').waitFor()
      await page.goto('/crawls')
      await page.getByRole('link', { name: 'New crawl' }).click()
      await page.getByLabel('Seeds').fill([served.odd.url, ...served.web.seeds].join('\n'))
      await page.getByLabel('Name').fill('first')
      await page.getByLabel('Delay, ms').fill('120')
      await page.getByText('Other settings').click()
      await page.getByLabel('Settings as JSON').fill(served.settings)
      await page.getByRole('button', { name: 'Preview' }).click()
      const preview = page.getByRole('region', { name: 'Preview of the scope' })
      await preview.getByText(`${served.odd.url}hostile`).waitFor()
      await preview.getByText(/^not taken: /).waitFor()
      assert.equal(await preview.getByText('taken', { exact: true }).count(), 2)
      assert.equal(await preview.getByText('https://elsewhere.example/').count(), 1)
    })

    test('it starts, and the charts move', async () => {
      await page.getByRole('button', { name: 'Start crawl' }).click()
      await page.getByRole('heading', { name: 'first' }).waitFor()
      await stateIs('running')
      await page.getByRole('link', { name: 'Overview' }).click()
      const throughput = page.getByRole('region', { name: 'Throughput' })
      await throughput.locator('.value', { hasText: /^[1-9\d.]*[1-9]/ }).waitFor()
      const line = throughput.locator('path.chart-line')
      const drawn = new Set<string | null>()
      for (const stop = Date.now() + 10_000; drawn.size < 3 && Date.now() < stop; await page.waitForTimeout(200))
        drawn.add(await line.getAttribute('d'))
      assert.equal(drawn.size, 3)
      const frontier = page.getByRole('region', { name: 'Frontier' })
      for (const band of [/^high /, /^medium /, /^low /]) await frontier.getByText(band).waitFor()
      await page.getByRole('region', { name: 'Workers' }).getByText('1 worker').waitFor()
      await page.getByRole('row', { name: /first/ }).getByText('running').waitFor()
    })

    test('it is paused, and nothing is fetched; it is resumed, and goes on', async () => {
      await page.getByRole('row', { name: /first/ }).getByRole('link').click()
      await page.getByRole('button', { name: 'Pause' }).click()
      await stateIs('paused')
      // What was under way ends.
      let requests = -1
      for (let looks = 0; looks < 20 && requests !== served.web.requests.length; looks++) {
        requests = served.web.requests.length
        await page.waitForTimeout(1000)
      }
      await page.waitForTimeout(1000)
      assert.equal(served.web.requests.length, requests)
      await page.getByRole('button', { name: 'Resume' }).click()
      await stateIs('finished')
      assert.ok(served.web.requests.length > requests)
      assert.equal(await state(), 'finished')
      assert.ok((await figure('Pages')) > 100)
    })

    test('a URL that failed is explained', async () => {
      await page.getByRole('link', { name: 'Dead letters' }).last().click()
      await page.getByRole('link', { name: `${served.odd.url}broken` }).click()
      await page.getByRole('heading', { name: `${served.odd.url}broken` }).waitFor()
      await page.locator('.timeline').getByText('found', { exact: true }).waitFor()
      await page.locator('.timeline').getByText('failed', { exact: true }).first().waitFor()
      await page.locator('.timeline').getByText('dead', { exact: true }).waitFor()
    })

    test('its dead letter is tried again, and the page is brought', async () => {
      served.odd.heal()
      await page.getByRole('link', { name: 'Dead letters' }).click()
      await page.getByRole('checkbox', { name: `Choose ${served.odd.url}broken` }).check()
      await page.getByRole('button', { name: 'Retry 1 chosen' }).click()
      await page.getByText('A dead letter is queued again.').waitFor()
      await page.goto('/crawls?crawl=first')
      await page.getByRole('button', { name: 'Resume' }).click()
      await stateIs('finished')
      await page.goto(`/url?crawl=first&url=${encodeURIComponent(`${served.odd.url}broken`)}`)
      await page.getByRole('link', { name: 'Read the page' }).click()
      await page.getByRole('heading', { name: 'Mended' }).waitFor()
      await page.getByText('All is well again.').waitFor()
    })

    test('search finds words and marks them', async () => {
      await page.keyboard.press('g')
      await page.keyboard.press('s')
      await page.getByRole('searchbox', { name: 'Search pages' }).fill('orchids')
      await page.keyboard.press('Enter')
      await page
        .locator('mark', { hasText: /orchid/i })
        .first()
        .waitFor()
    })

    test('a page that wants to run is text, in every form', async () => {
      await page.getByRole('searchbox', { name: 'Search pages' }).fill('zyzzyva')
      await page.keyboard.press('Enter')
      await page.getByRole('link', { name: hostileTitle }).click()
      await page.getByRole('heading', { name: hostileTitle }).waitFor()
      // The window's title follows the heading a moment later.
      for (let looks = 0; looks < 50 && !(await page.title()).startsWith('<script>'); looks++)
        await page.waitForTimeout(20)
      assert.equal(await page.title(), `${hostileTitle} · Orbweaver`)
      await page.getByText('A burrowing <img src=x onerror=alert(1)> zyzzyva lives here.').waitFor()
      for (const form of ['Markdown', 'Source', 'Links', 'History', 'Facts']) {
        await page.getByRole('link', { name: form, exact: true }).click()
        await loaded(page)
        assert.equal(await page.locator('main script, main img, main iframe, a[href^="javascript:"]').count(), 0, form)
      }
      assert.equal(await page.getByRole('heading', { name: hostileTitle }).count(), 1, 'nothing has taken over')
      assert.deepEqual(visited.faults, [])
    })

    test('a host is shown with its robots.txt; it is blocked, and the note is seen', async () => {
      await page.goto('/hosts?crawl=first&q=127.0.0.1')
      await page.getByRole('button', { name: /^Change 127/ }).click()
      await page.getByText(/^status 404; fetched .* ago, asked for again in /).waitFor()
      await page.getByLabel(/^Block/).check()
      await page.getByLabel('Note').fill('asked by its owner')
      await page.getByRole('button', { name: 'Save' }).click()
      await page.getByText('blocked', { exact: true }).waitFor()
      await page.getByText('asked by its owner').waitFor()
    })

    test('what was done is in the audit log', async () => {
      await page.goto('/settings?view=audit')
      for (const action of ['createCrawl', 'pauseCrawl', 'resumeCrawl', 'retryDeadLetters'])
        await page.getByText(action, { exact: true }).first().waitFor()
    })
  })
}
