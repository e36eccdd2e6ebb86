import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'

/** A tab, and everything that went wrong in it: scripts that failed, and what the policy had to refuse. */
export interface Visit extends AsyncDisposable {
  readonly page: Page
  readonly faults: readonly string[]
}

export const phone = { viewport: { width: 360, height: 740 }, hasTouch: true } as const
export const desk = { viewport: { width: 1440, height: 900 } } as const

export async function visit(browser: Browser, url: string, options: BrowserContextOptions = desk): Promise<Visit> {
  const context = await browser.newContext({ ...options, baseURL: url })
  const page = await context.newPage()
  page.setDefaultTimeout(10_000)
  const faults: string[] = []
  page.on('pageerror', (error) => faults.push(String(error)))
  page.on('console', (message) => {
    // An answer such as 404 is reported here too; what the page makes of it is for tests to see.
    if (message.type() === 'error' && !message.text().startsWith('Failed to load resource')) faults.push(message.text())
  })
  return { page, faults, [Symbol.asyncDispose]: () => context.close() }
}

const axeSource = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

interface AxeFault {
  readonly id: string
  readonly impact: string
  readonly nodes: readonly { readonly html: string; readonly failureSummary: string }[]
}

/** Serious and critical faults of accessibility, in words: by all rules, or by some. */
export async function accessFaults(page: Page, rules?: readonly string[]): Promise<string[]> {
  if (!(await page.evaluate<boolean>('"axe" in window'))) await page.evaluate(axeSource)
  const which = JSON.stringify({ resultTypes: ['violations'], ...(rules ? { runOnly: rules } : {}) })
  const faults = await page.evaluate<AxeFault[]>(`axe.run(${which}).then(({ violations }) => violations)`)
  return faults
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, nodes }) => `${id}: ${nodes[0]?.html} ${nodes[0]?.failureSummary}`)
}

/** How much wider than its window a page is, or a table than its frame. */
export const sidewaysPixels = (page: Page): Promise<number> =>
  page.evaluate<number>(`Math.max(...[document.documentElement, ...document.querySelectorAll('.table-frame')]
    .map(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth))`)

/** All that the page has asked for has been answered. */
export async function loaded(page: Page): Promise<void> {
  while ((await page.locator('.loading').count()) > 0) await page.waitForTimeout(50)
}
