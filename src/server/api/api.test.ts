import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { skipWithout, withRedis } from '../../../test/fleet/fleet-of-web.ts'
import { ApiError } from '../client.ts'
import { isLines } from '../lines.ts'
import { type ServedWeb, servedWeb } from '../server.fixture.ts'
import { type OperationName, paths } from './paths.ts'
import type { Route } from './route.ts'
import { routes } from './routes.ts'
import { type Crawl, reindexing } from './schemas/crawl.ts'
import { pageRecord } from './schemas/page.ts'

const kinds = [
  { kind: 'folder', skip: false, open: undefined },
  {
    kind: 'fleet',
    skip: skipWithout(withRedis),
    // The clients of the engines are loaded only where there are engines.
    open: async () => (await import('../../orchestrator/adapters/fleet/test-fleet.ts')).openTestFleet(),
  },
] as const

for (const { kind, skip, open } of kinds)
  describe(`every operation of the API over a ${kind}`, { skip }, () => {
    let served: ServedWeb
    let ended: Crawl
    const crawl = 'first'
    const params = { crawl }
    /** Operations that were answered well, and by the shape that the document promises. */
    const tried = new Set<string>()

    before(async () => {
      served = await servedWeb(open ? { open } : {})
      const { client } = served
      for (const name of Object.keys(paths) as OperationName[]) watchAnswers(client as unknown as Calls, name)
      await served.crawl(crawl, ['shop', 'nowhere'])
      ended = await served.ended(crawl)
    })
    after(() => served[Symbol.asyncDispose]())

    type Calls = Record<string, (...args: unknown[]) => Promise<unknown>>

    function watchAnswers(client: Calls, name: OperationName): void {
      const call = client[name]!
      const { answer }: Route = routes[name]
      client[name] = async (...args) => {
        const value = await call(...args)
        if (typeof answer !== 'string' && !isLines(answer)) {
          const { error } = answer.safeParse(value)
          assert.equal(error, undefined, `${name} answers as promised`)
        }
        tried.add(name)
        return value
      }
    }

    const fails = (status: number, act: Promise<unknown>) =>
      assert.rejects(act, (error) => error instanceof ApiError && error.status === status && error.message !== '')

    test('crawls are listed and shown with what they did', async () => {
      const { crawls } = await served.client.listCrawls()
      assert.deepEqual(
        crawls.map(({ id, state }) => [id, state]),
        [[crawl, 'finished']],
      )
      assert.ok(ended.tally.pages >= 30)
      assert.equal(ended.counts.dead, 1)
      assert.deepEqual(ended.limits, { maxPages: 0, maxDurationMs: 0 })
      await fails(404, served.client.getCrawl({ params: { crawl: 'none' } }))
    })

    test('a crawl is started, changed, paused, resumed, stopped and deleted', async () => {
      const { client } = served
      const second = { crawl: 'second' }
      await served.crawl('second', ['side'], { politeness: { delayMs: 400 } })
      await fails(409, served.crawl('second', ['side']))
      const changed = await client.changeCrawl({ params: second, body: { maxPages: 3, delayMs: 300 } })
      assert.deepEqual([changed.limits.maxPages, changed.delayMs], [3, 300])
      assert.equal((await client.pauseCrawl({ params: second })).state, 'paused')
      assert.equal((await client.resumeCrawl({ params: second })).state, 'running')
      await fails(409, client.deleteCrawl({ params: second }))
      assert.equal((await client.stopCrawl({ params: second })).state, 'stopping')
      await served.ended('second')
      await fails(409, client.pauseCrawl({ params: second }))
      await client.deleteCrawl({ params: second })
      await fails(404, client.getCrawl({ params: second }))
    })

    test('a URL is explained, whether the crawl met it or not', async () => {
      const { client, origin } = served
      const known = await client.explainUrl({ params, query: { url: `${origin('shop')}/` } })
      assert.equal(known.state, 'done')
      assert.equal(known.hasPage, true)
      assert.equal(known.events[0]!.kind, 'found')
      const unknown = await client.explainUrl({ params, query: { url: 'https://elsewhere.test/' } })
      assert.equal(unknown.state, 'unknown')
      assert.match(unknown.events[0]!.detail, /out-of-scope/)
      await fails(422, client.explainUrl({ params, query: { url: 'http://' } }))
    })

    test('all records come line by line, pages alone unless more is asked for', async () => {
      const { client } = served
      const urlsOf = async (all: boolean) => {
        const records = []
        for await (const record of await client.exportRecords({ params, query: { all } })) records.push(record)
        for (const record of records) assert.equal(pageRecord.safeParse(record).error, undefined)
        return records
      }
      const pages = await urlsOf(false)
      assert.equal(pages.length, ended.tally.pages)
      assert.ok(pages.every(({ kind, text, links }) => kind === 'page' && text !== '' && links.length > 0))
      assert.ok((await urlsOf(true)).length >= pages.length)
      for await (const { url } of await client.exportRecords({ params })) {
        // Whoever has seen enough may leave.
        assert.equal(url, pages[0]!.url)
        break
      }
      await fails(404, client.exportRecords({ params: { crawl: 'none' } }))
      assert.deepEqual(served.logged, [])
    })

    test('the search index is built anew where it is apart from the records', async () => {
      const { client } = served
      await fails(404, client.reindexCrawl({ params: { crawl: 'none' } }))
      if (kind === 'folder') {
        await fails(409, client.reindexCrawl({ params }))
        tried.add('reindexCrawl')
        return
      }
      const said = await Array.fromAsync(await client.reindexCrawl({ params }))
      for (const line of said) assert.equal(reindexing.safeParse(line).error, undefined)
      assert.equal(said.at(-1)!.done, true)
      assert.ok(said.at(-1)!.pages! > 0)
    })

    test('URLs are offered, and each is answered', async () => {
      const { client, origin } = served
      const urls = [`${origin('shop')}/`, `${origin('shop')}/new?b=2&a=1`, 'https://elsewhere.test/', 'mailto:x']
      const { admissions } = await client.offerUrls({ params, body: { urls } })
      assert.deepEqual(
        admissions.map(({ admission }) => admission),
        ['known', 'admitted', 'refused', 'refused'],
      )
      assert.equal(admissions[1]!.url, `${origin('shop')}/new?a=1&b=2`)
      assert.equal(admissions[2]!.reason, 'out-of-scope')
    })

    test('a page is given as record, text, Markdown, source and headers, with its links', async () => {
      const { client, origin } = served
      const query = { url: `${origin('shop')}/` }
      const page = await client.getPage({ params, query })
      assert.equal(page.status, 200)
      assert.equal(page.visits.length, 1)
      const record = await client.getPageRecord({ params, query })
      assert.equal(record.links.length, page.linkCount)
      assert.equal(await client.getPageText({ params, query }), record.text)
      assert.match(await client.getPageMarkdown({ params, query }), /^# /)
      assert.match(await client.getPageRaw({ params, query }), /^<!doctype html/i)
      assert.equal((await client.getPageHeaders({ params, query })).status, 200)
      const out = await client.getPageLinks({ params, query: { ...query, limit: 2 } })
      assert.equal(out.total, page.linkCount)
      assert.equal(out.links.length, 2)
      const child = await client.getPageLinks({ params, query: { url: record.links[1]!, direction: 'in' } })
      assert.ok(child.links.length <= 1)
      await fails(404, client.getPage({ params, query: { url: `${origin('shop')}/none` } }))
    })

    test('source comes as plain text that no browser runs', async () => {
      const { server, origin } = served
      const url = encodeURIComponent(`${origin('shop')}/`)
      const response = await fetch(`${server.url}/v1/crawls/${crawl}/page/raw?url=${url}`)
      assert.equal(response.headers.get('content-type'), 'text/plain; charset=utf-8')
      assert.equal(response.headers.get('x-content-type-options'), 'nosniff')
      assert.match(response.headers.get('content-security-policy')!, /default-src 'none'.*sandbox/)
      await response.body?.cancel()
    })

    test('pages are searched', async () => {
      const { client, origin } = served
      const { title } = await client.getPage({ params, query: { url: `${origin('shop')}/` } })
      const search = () => client.search({ params, query: { q: title, limit: 1 } })
      let { hits, more } = await search()
      // An engine shows what it was given a moment later.
      while (!more) {
        await new Promise((resolve) => setTimeout(resolve, 100))
        ;({ hits, more } = await search())
      }
      assert.equal(hits.length, 1)
      assert.equal(more, true)
      assert.match(hits[0]!.excerpt, /\u0002.+\u0003/)
      assert.deepEqual((await client.search({ params, query: { q: '"((' } })).hits, [])
    })

    test('hosts are listed, shown, and decided upon', async () => {
      const { client, web } = served
      const { total, hosts } = await client.listHosts({ params, query: { search: 'SHO', sort: 'name', order: 'asc' } })
      assert.equal(total, 1)
      assert.equal(hosts[0]!.host, `shop.test:${web.httpPort}`)
      assert.equal((await client.getHost({ params: { crawl, host: hosts[0]!.host } })).counts.dead, 0)
      await fails(404, client.getHost({ params: { crawl, host: 'none.test' } }))
      const pattern = { pattern: '*.test' }
      await client.setHost({ params: pattern, body: { delayMs: 2000, note: 'slow' } })
      await client.blockHost({ params: pattern })
      await client.pauseHost({ params: pattern })
      assert.deepEqual((await client.listHostSettings()).settings, [
        { host: '*.test', setting: { delayMs: 2000, note: 'slow', block: true, pause: true } },
      ])
      assert.equal((await client.getHost({ params: { crawl, host: hosts[0]!.host } })).setting.delayMs, 2000)
      await client.unblockHost({ params: pattern })
      await client.resumeHost({ params: pattern })
      await client.forgetHost({ params: pattern })
      await fails(404, client.forgetHost({ params: pattern }))
      await fails(400, client.setHost({ params: { pattern: 'No Host' }, body: {} }))
    })

    test('dead letters are listed by reason and class, sent back and dropped', async () => {
      const { client, origin } = served
      const url = `${origin('nowhere')}/`
      const { reasons } = await client.listDeadReasons({ params })
      const dns = reasons.find(({ reason }) => reason === 'dns-not-found')
      assert.deepEqual(dns, { reason: 'dns-not-found', class: 'dns', count: 1, example: url })
      const { letters, more } = await client.listDeadLetters({ params, query: { reason: 'dns-not-found', limit: 1 } })
      assert.deepEqual([letters.map((letter) => letter.url), more], [[url], false])
      await fails(400, client.retryDeadLetters({ params, body: {} }))
      assert.equal((await client.retryDeadLetters({ params, body: { urls: [url] } })).changed, 1)
      assert.equal((await client.dropDeadLetters({ params, body: { urls: [url] } })).changed, 0)
      assert.equal((await client.explainUrl({ params, query: { url } })).state, 'queued')
    })

    test('workers, overview, settings, session, alerts, audit and health are told', async () => {
      const { client } = served
      const { workers } = await client.listWorkers()
      assert.equal(workers[0]!.pid, process.pid)
      await fails(404, client.getScaling())
      tried.add('getScaling')
      const { now, kind: overWhat, history } = await client.getOverview()
      assert.equal(overWhat, kind)
      assert.ok(history.length > 0 && history.at(-1)!.at <= now.at)
      const { settings } = await client.getConfiguration()
      assert.equal(settings.find(({ name }) => name === 'server.listen')!.value, '127.0.0.1:0')
      assert.deepEqual((await client.listAlerts()).alerts, [])
      await fails(404, client.silenceAlert({ params: { alert: 'none' }, body: { forMs: 1000 } }))
      await fails(404, client.unsilenceAlert({ params: { alert: 'none' } }))
      tried.add('silenceAlert').add('unsilenceAlert')
      assert.equal((await client.getSession()).role, 'admin')
      const { entries } = await client.listAudit()
      assert.ok(
        entries.some(({ action, target, status }) => action === 'createCrawl' && target === '' && status === 201),
      )
      assert.ok(entries.some(({ action, status }) => action === 'deleteCrawl' && status === 409))
      assert.equal((await client.getHealth()).status, 'ok')
      assert.equal((await client.getReadiness()).status, 'ok')
    })

    test('a preview says which links of a page would be taken, and why not', async () => {
      const { client, origin, web } = served
      const settings = { dns: { servers: [web.dns] }, url: { exclude: ['*/stories/*'] } }
      const preview = await client.previewScope({ body: { page: `${origin('shop')}/`, settings } })
      assert.equal(preview.status, 200)
      assert.ok(preview.taken > 0)
      assert.equal(preview.taken, preview.links.filter(({ taken }) => taken).length)
      assert.ok(preview.refused['out-of-scope']! > 0)
      await fails(422, client.previewScope({ body: { page: `${origin('nowhere')}/`, settings } }))
    })

    test('a preview reaches private addresses only as a crawl with these orders would', async () => {
      const { client, origin, web } = served
      const settings = { dns: { servers: [web.dns] } }
      const body = { page: `${origin('shop')}/`, seeds: [`${origin('side')}/`], settings }
      await assert.rejects(client.previewScope({ body }), /address-refused/)
    })

    test('nothing was left out', () => {
      assert.deepEqual(
        Object.keys(paths).filter((name) => !tried.has(name)),
        [],
      )
      assert.deepEqual(served.logged, [])
    })
  })
