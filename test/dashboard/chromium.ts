import { existsSync } from 'node:fs'
import { type Browser, chromium } from 'playwright-core'

const places = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/usr/bin/google-chrome-stable',
]

const found = [process.env.ORBWEAVER_TEST_CHROMIUM, ...places].find((path) => path && existsSync(path))

/** Why tests in a browser are left out here; false: they run. */
export const skipWithoutChromium: string | false =
  found === undefined ? 'no Chromium here; ORBWEAVER_TEST_CHROMIUM may name one' : false

/** A real browser that reaches nothing but this machine. */
export function openChromium(): Promise<Browser> {
  return chromium.launch({
    executablePath: found!,
    args: [
      ...['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking'],
      ...['--disable-component-update', '--disable-sync', '--disable-dev-shm-usage'],
      '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1',
    ],
  })
}
