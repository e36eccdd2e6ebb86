import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseConfig } from '../parse/config.ts'
import { readPage } from '../parse/parse-page.ts'
import { WallWatch } from './wall-watch.ts'

const config = parseConfig.parse({})
const mark = '<script>window._cf_chl_opt={}</script>'

/** As in a crawl of links only. */
function wallIn(html: string, links: number) {
  const body = Buffer.from(html)
  const page = readPage(body, { url: 'https://site.example/', contentType: 'text/html', config, withText: false })
  return new WallWatch().wallWithoutText({ body }, page, links)
}

test('without text a wall is told by its marks and its title, in small pages with few links', () => {
  assert.equal(wallIn(mark, 3)?.by, 'Cloudflare challenge')
  assert.equal(wallIn('<title>Just a moment...</title>', 0)?.by, 'browser check')
  assert.equal(wallIn('<title>Moments</title>', 0), undefined)
})

test('without text what is large or leads to many pages is content, whatever scripts it carries', () => {
  assert.equal(wallIn(mark, 100), undefined)
  assert.equal(wallIn(mark + ' '.repeat(20_000), 3), undefined)
})
