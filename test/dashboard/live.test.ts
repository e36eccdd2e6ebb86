import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, suite, test } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { openDashboard } from '../../src/server/dashboard/files.ts'
import { packedAnswer } from '../../src/server/packing.ts'
import { scratchFolder } from '../crawl/crawl-of-web.ts'
import { oneBigHost } from '../web/presets.ts'
import { openChromium, skipWithoutChromium } from './chromium.ts'
import { serveFolder } from './served-folder.ts'
import { stagedFleet, stagedSnapshot } from './staged-fleet.ts'
import { type Stage, stagedServer } from './staged-server.ts'
import { visit } from './visit.ts'

suite('the dashboard of a large fleet', { skip: skipWithoutChromium }, () => {
  let browser: Browser
  before(async () => {
    browser = await openChromium()
  })
  after(() => browser?.close())

  test('a server that goes away is missed, and found again when it comes back', async () => {
    const first = await stagedServer(stagedFleet, stagedSnapshot)
    await using visited = await visit(browser, first.url)
    const { page } = visited
    await page.goto('/')
    await page.getByText('Live', { exact: true }).waitFor()
    await first[Symbol.asyncDispose]()
    await page.getByText('Offline, trying again…').waitFor()
    await page.getByText('This is what it said last').waitFor()
    assert.equal(await page.getByRole('row', { name: /news-2026/ }).count(), 1, 'what it said stays on the screen')
    await using _second = await stagedServer(stagedFleet, stagedSnapshot, first.port)
    await page.getByText('Live', { exact: true }).waitFor()
    assert.equal(await page.getByText('This is what it said last').count(), 0)
  })

  test('a server that is not there at first is waited for', async () => {
    const gone = await stagedServer(stagedFleet, stagedSnapshot)
    await using visited = await visit(browser, gone.url)
    const { page } = visited
    await page.route('**/v1/**', (route) => route.abort())
    await page.goto('/')
    await page.getByText('It is asked again until it does.').waitFor()
    await page.unroute('**/v1/**')
    await page.getByText('Active crawl').waitFor()
    await gone[Symbol.asyncDispose]()
  })

  test('of a million hosts only one page is asked for and drawn', async () => {
    await using server = await stagedServer(stagedFleet, stagedSnapshot)
    await using visited = await visit(browser, server.url)
    const { page } = visited
    await page.goto('/hosts?crawl=news-2026')
    await page.getByText('1–50 of 1,000,000').waitFor()
    assert.equal(await page.locator('tbody tr').count(), 50)
    await page.getByRole('button', { name: 'Next', exact: true }).click()
    await page.getByText('51–100 of 1,000,000').waitFor()
    await page.getByRole('button', { name: 'Dead', exact: true }).click()
    assert.match(page.url(), /sort=dead&order=desc/)
    await page.getByRole('searchbox').fill('0000007')
    await page.keyboard.press('Enter')
    await page.getByText('1–1 of 1', { exact: true }).waitFor()
    await page.goBack()
    await page.getByText('1–50 of 1,000,000').waitFor()
  })

  test('an answer that takes longer than the page waits before it asks again is shown all the same', async () => {
    await using server = await stagedServer(stagedFleet, stagedSnapshot)
    await using visited = await visit(browser, server.url)
    const { page } = visited
    await page.route('**/v1/crawls/*/hosts?*', async (route) => {
      await new Promise((resolve) => setTimeout(resolve, 4000))
      await route.continue()
    })
    await page.goto('/hosts?crawl=news-2026')
    await page.getByText('1–50 of 1,000,000').waitFor()
    assert.equal(server.asked.filter((name) => name === 'listHosts').length, 1, 'asked once')
  })

  test('figures that the engines no longer give are told to be old, and are not taken for a server that is gone', async () => {
    const fault = 'Counters cannot be read: Redis does not answer.'
    await using server = await stagedServer(stagedFleet, () => ({ ...stagedSnapshot(), fault }))
    await using visited = await visit(browser, server.url)
    const { page } = visited
    await page.goto('/')
    await page.getByText(fault).waitFor()
    await page.getByText('Live', { exact: true }).waitFor()
  })

  test('the overview with an hour of history loads with under 200 KB, and is drawn', async (t) => {
    const dashboard = await openDashboard()
    const files = ['/', '/app.js', '/app.css', '/icon.svg'].map(
      (path) => dashboard.answer(path, { 'accept-encoding': 'br' })!.body.byteLength,
    )
    const question = { params: {}, query: new URLSearchParams(), body: undefined }
    const overview = stagedFleet.getOverview!(question)!
    const packed = (await packedAnswer(overview, JSON.stringify(overview), 'gzip'))!.byteLength
    const bytes = files.reduce((sum, size) => sum + size, packed)
    assert.ok(bytes < 200_000, `${bytes} bytes`)
    await using server = await stagedServer(stagedFleet, stagedSnapshot)
    await using visited = await visit(browser, server.url)
    const { page } = visited
    await page.goto('/')
    await page.locator('path.chart-line').first().waitFor({ state: 'attached' })
    const drawnMs = await page.evaluate<number>('performance.now()')
    t.diagnostic(`${bytes} bytes, of which ${packed} are history; drawn after ${drawnMs.toFixed(0)} ms`)
  })

  test('an hour of ten thousand pages a second costs the browser no more than the pixels it has', async (t) => {
    const fast = () => ({ ...stagedSnapshot(), pagesPerSecond: 10_000 + Math.random() * 100, bytesPerSecond: 4e8 })
    await using server = await stagedServer(stagedFleet, fast)
    await using visited = await visit(browser, server.url)
    const { page } = visited
    await page.goto('/')
    await page
      .getByRole('region', { name: 'Throughput' })
      .getByText(/^10(\.\d)?K/)
      .waitFor()
    t.diagnostic(`the browser works for ${((await busyShare(page)) * 100).toFixed(1)} % of the time`)
    for (const line of await page.locator('path.chart-line').all()) {
      const { width } = (await line.locator('xpath=..').boundingBox())!
      const points = (await line.getAttribute('d'))!.split(/[ML]/).length - 1
      assert.ok(points > 50 && points <= width / 2 + 1, `${points} points on ${width} pixels`)
    }
  })

  test('a problem is told in words, and the page can be asked again', async () => {
    let fails = true
    const stage: Stage = {
      ...stagedFleet,
      listWorkers: (question) => (fails ? undefined : stagedFleet.listWorkers?.(question)),
    }
    await using server = await stagedServer(stage, stagedSnapshot)
    await using visited = await visit(browser, server.url)
    const { page } = visited
    await page.goto('/workers')
    await page.getByRole('alert').getByText('Nothing is staged for listWorkers.').waitFor()
    fails = false
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByText('worker-08').waitFor()
    assert.equal(await page.getByRole('alert').count(), 0)
  })

  test('where a token is needed it is asked for, and a viewer may only look', async () => {
    using scratch = scratchFolder()
    const tokenFile = join(scratch.path, 'tokens')
    const token = 'a-token-that-only-ada-has-0123456789'
    writeFileSync(tokenFile, `viewer ada ${token}\n`, { mode: 0o600 })
    await using served = await serveFolder(oneBigHost(3, 1000), { 'server.tokenFile': tokenFile })
    await using visited = await visit(browser, served.url)
    const { page, faults } = visited
    await page.goto('/crawls')
    await page.getByRole('heading', { name: 'Sign in' }).waitFor()
    await page.getByLabel('Token').fill('wrong')
    await page.keyboard.press('Enter')
    await page.getByText('This token is not known here.').waitFor()
    await page.getByLabel('Token').fill(token)
    await page.keyboard.press('Enter')
    await page.getByText('There is no crawl yet.').waitFor()
    await page.getByText('ada, viewer').waitFor()
    await page.getByText('Live', { exact: true }).waitFor()
    assert.equal(await page.getByRole('link', { name: 'New crawl' }).count(), 0)
    await page.goto('/settings')
    await page.getByText('Only an admin may see this.').waitFor()
    await page.goto('/crawls/new')
    await page.getByText('Only an operator may start a crawl.').waitFor()
    assert.deepEqual(faults, [])
  })
})

/** The part of three seconds in which the page's thread was at work. */
async function busyShare(page: Page): Promise<number> {
  const session = await page.context().newCDPSession(page)
  await session.send('Performance.enable')
  const busySeconds = async () => {
    const { metrics } = await session.send('Performance.getMetrics')
    return metrics.find(({ name }) => name === 'TaskDuration')!.value
  }
  const before = await busySeconds()
  await page.waitForTimeout(3000)
  return ((await busySeconds()) - before) / 3
}
