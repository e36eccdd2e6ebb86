import assert from 'node:assert/strict'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { startTestWeb, type TestWeb } from '../web/web.ts'
import { orbweaver, start } from './orbweaver.ts'

describe('the commands, as a person uses them', () => {
  let web: TestWeb
  let scratch: string
  let out: string
  let webFlags: string[]
  const run = (...args: string[]) => orbweaver([...args, '--out', out])

  before(async () => {
    web = await startTestWeb({
      hosts: [
        { character: 'polite', name: 'lighthouses', topic: 'lighthouses', pages: 12 },
        { character: 'robots-guarded', name: 'owls', topic: 'owls', pages: 6, kinds: ['plain'] },
        { character: 'unreachable', name: 'nowhere', kinds: ['not-found'] },
        { character: 'dead-links', name: 'chess', topic: 'chess', pages: 4 },
      ],
    })
    scratch = mkdtempSync(join(tmpdir(), 'orbweaver-cli-'))
    out = join(scratch, 'crawl')
    webFlags = ['--dns', web.dns, '--allow-private', '--delay', '0']
    const crawled = await run('crawl', ...web.seeds, ...webFlags, '--json')
    assert.equal(crawled.code, 0, crawled.err)
    const summary = crawled.json().at(-1)!
    assert.equal(summary.reason, 'finished')
    assert.equal(summary.pages, web.expected().pages.size)
    for (const field of [
      'failed',
      'excluded',
      'duplicates',
      'nearDuplicates',
      'bytes',
      'requests',
      'durationMs',
      'cpuMs',
      'peakRssBytes',
    ])
      assert.equal(typeof summary[field], 'number', field)
  })
  after(async () => {
    await web[Symbol.asyncDispose]()
    rmSync(scratch, { recursive: true })
  })

  test('status says what was done', async () => {
    const { out: text } = await run('status')
    assert.match(text, /finished/)
    const [status] = (await run('status', '--json')).json()
    assert.equal(status!.state, 'finished')
    assert.equal(status!.pages, web.expected().pages.size)
  })

  test('a crawl whose seeds fail says why and exits with 1; one at its limit says how to go on', async () => {
    const failed = await orbweaver([
      'crawl',
      'http://nowhere.invalid/',
      '--dns',
      web.dns,
      '--out',
      join(scratch, 'failed'),
    ])
    assert.equal(failed.code, 1)
    assert.match(failed.err, /No page was found:\n {2}http:\/\/nowhere\.invalid\/ {2}dns-not-found/)
    const limited = join(scratch, 'limited')
    const first = await orbweaver(['crawl', ...web.seeds, ...webFlags, '--max-pages', '3', '--out', limited])
    assert.match(first.err, /orbweaver resume --max-pages 6 --out/)
    const second = await orbweaver(['resume', '--max-pages', '6', '--out', limited])
    assert.match(second.err, /6 pages, 3 of them in this run/)
  })

  test('search finds, marks and ranks', async () => {
    const { out: text } = await run('search', 'keeper')
    assert.match(text, /lighthouses\.test/)
    const hits = (await run('search', 'keeper', '--json', '--limit', '2')).json()
    assert.deepEqual(Object.keys(hits[0]!), ['url', 'title', 'score', 'excerpt'])
    assert.match(String(hits[0]!.excerpt), /\*\*keeper/i)
    assert.equal((await run('search', 'nosuchwordatall')).code, 0)
    const none = await run('search', 'keeper', '-keep*', '--json')
    assert.deepEqual([none.code, none.out], [0, ''], 'a word with a dash is left out')
  })

  test('why tells the life of a page, of what robots.txt closes, of what failed and of what was never met', async () => {
    const why = async (url: string) =>
      (await run('why', url, '--json')).json()[0]! as { state: string; events: { kind: string; detail: string }[] }
    const page = await why(web.seeds[0]!)
    assert.equal(page.state, 'done')
    assert.deepEqual(
      page.events.map(({ kind }) => kind),
      ['found', 'robots', 'page', 'archived'],
    )
    assert.match(page.events[1]!.detail, /^allowed: /)
    const [closed] = [...web.expected().excluded].find(([, reason]) => reason === 'robots')!
    const excluded = await why(closed)
    assert.equal(excluded.state, 'excluded')
    assert.match(excluded.events.at(-1)!.detail, /robots: Disallow/i)
    assert.match(excluded.events[1]!.detail, /^disallowed: Disallow: .* \(line \d+\)/)
    const failed = await why(web.seeds.find((url) => url.includes('nowhere'))!)
    assert.equal(failed.state, 'dead')
    assert.match(failed.events.at(-1)!.detail, /dns-not-found/)
    assert.match((await why('https://elsewhere.example/')).events[0]!.detail, /out-of-scope/)
    assert.match((await run('why', web.seeds[0]!)).out, /found .* as a seed/)
    assert.equal((await why('elsewhere.example')).state, 'unknown', 'a scheme is not needed')
  })

  test('hosts lists them with their counts', async () => {
    assert.match((await run('hosts')).out, /lighthouses\.test:\d+ +0 +\d+/)
    assert.equal((await run('hosts', '--json', '--limit', '2')).json().length, 2)
  })

  test('show gives a page in every form', async () => {
    const url = web.seeds[0]!
    assert.match((await run('show', url)).out, /lighthouses/)
    assert.match((await run('show', url, '--as', 'html')).out, /<html/i)
    assert.match((await run('show', url, '--as', 'markdown')).out, /^# /m)
    assert.match((await run('show', url, '--as', 'links')).out, /^http:\/\/lighthouses\.test/m)
    assert.match((await run('show', url, '--as', 'headers')).out, /^HTTP 200\n[\s\S]*content-type: text\/html/i)
    assert.equal(JSON.parse((await run('show', url, '--as', 'record')).out).url, url)
    assert.equal((await run('show', url, '--json')).json()[0]!.url, url)
    assert.match((await run('show', url, '--as', 'raw')).out, /<html/i)
    const [missing] = [...web.expected().failures].find(([, reasons]) => reasons.includes('status-404'))!
    assert.match((await run('show', missing)).out, /^\(404, .*no page/)
    assert.equal((await run('show', `${url}not-there`)).code, 2)
  })

  test('export writes every format', async () => {
    const pages = web.expected().pages.size
    const lines = (await run('export', '--format', 'jsonl')).json()
    assert.equal(lines.length, pages)
    assert.deepEqual(Object.keys(lines[0]!).sort(), [
      'canonical',
      'contentHash',
      'contentType',
      'depth',
      'description',
      'duplicateOf',
      'fetchedAt',
      'finalUrl',
      'keywords',
      'lang',
      'links',
      'nearDuplicateOf',
      'parent',
      'publishedAt',
      'simhash',
      'status',
      'text',
      'title',
      'url',
      'warc',
    ])
    assert.equal(
      (await run('export', '--format', 'csv', '--columns', 'url,title')).out.trim().split(/\r?\n/).length,
      pages + 1,
    )
    const to = (name: string) => join(scratch, name)
    assert.equal((await run('export', '--format', 'parquet', '--to', to('pages.parquet'))).code, 0)
    assert.equal(readFileSync(to('pages.parquet')).subarray(0, 4).toString(), 'PAR1')
    assert.equal((await run('export', '--format', 'parquet', '--to', to('warehouse'), '--name', 'daily')).code, 0)
    const { pages: parts } = JSON.parse(readFileSync(to('warehouse/_exports/crawl=daily.json'), 'utf8'))
    assert.equal(parts[0].rows, pages)
    assert.match(parts[0].path, /^pages\/crawl=daily\/date=\d{4}-\d\d-\d\d\/part-00000\.parquet$/)
    assert.equal((await run('export', '--format', 'markdown', '--to', to('markdown'))).code, 0)
    assert.equal(
      readdirSync(to('markdown'), { recursive: true }).filter((name) => String(name).endsWith('.md')).length,
      pages,
    )
    assert.equal((await run('export', '--format', 'warc', '--to', to('warc'))).code, 0)
    assert.ok(readdirSync(to('warc'), { recursive: true }).some((name) => String(name).endsWith('.warc.gz')))
  })

  test('dead letters are listed, shown, retried and dropped', async () => {
    assert.match((await run('dead', 'list')).out, /1 +dns-not-found/)
    assert.equal((await run('dead', 'show', '--json')).json()[0]!.reason, 'dns-not-found')
    assert.match((await run('dead', 'retry', '--reason', 'dns-not-found')).out, /Queued again: 1 URL\./)
    const resumed = await run('resume', '--json')
    assert.equal(resumed.json().at(-1)!.failed, 1)
    assert.match((await run('dead', 'drop', '--pattern', '*nowhere*')).out, /Excluded for good: 1 URL\./)
    assert.match((await run('dead', 'list')).out, /No dead letters/)
  })

  test('normalize, robots, inspect and doctor answer what machines read', async () => {
    const normalized = await orbweaver(['normalize', '--json'], {
      input: 'HTTP://Example.COM:80/a/../b?utm_source=x&b=2&a=1#top\nmailto:me@example.com\n',
    })
    assert.deepEqual(normalized.json(), [
      {
        input: 'HTTP://Example.COM:80/a/../b?utm_source=x&b=2&a=1#top',
        url: 'http://example.com/b?a=1&b=2',
        reason: null,
      },
      { input: 'mailto:me@example.com', url: null, reason: 'scheme' },
    ])
    const file = join(scratch, 'robots.txt')
    writeFileSync(file, 'User-agent: *\nDisallow: /private\nAllow: /private/open\n')
    const verdicts = await orbweaver([
      'robots',
      '--file',
      file,
      '--agent',
      'anybot',
      '--json',
      'https://x.example/private/a',
      'https://x.example/private/open/b',
    ])
    assert.deepEqual(
      verdicts.json().map(({ allowed, line }) => [allowed, line]),
      [
        [false, 2],
        [true, 3],
      ],
    )
    const page = join(scratch, 'page.html')
    writeFileSync(page, '<title>A &amp; B</title><a href="/c">see c</a><p>Text')
    const [found] = (await orbweaver(['inspect', page, '--url', 'https://x.example/d/', '--json'])).json()
    assert.equal(found!.title, 'A & B')
    assert.deepEqual(found!.links, [{ url: 'https://x.example/c', rel: '', text: 'see c' }])
    assert.ok((await run('doctor', '--json')).json().some(({ what, level }) => what === 'sqlite' && level === 'ok'))
  })

  test('help names every command and every option', async () => {
    const { out: all } = await orbweaver(['--help'])
    for (const name of [
      'crawl',
      'resume',
      'status',
      'why',
      'hosts',
      'search',
      'show',
      'export',
      'dead',
      'inspect',
      'robots',
      'normalize',
      'demo',
      'doctor',
    ]) {
      assert.match(all, new RegExp(`^  ${name} `, 'm'))
      const { out: one, code } = await orbweaver([name, '--help'])
      assert.equal(code, 0)
      assert.match(one, /Usage/)
    }
    assert.match((await orbweaver(['crawl', '--help'])).out, /--max-pages N/)
  })

  test('Ctrl-C ends in order and says how to go on; a second one stops at once; resume ends at the same set', async () => {
    const other = join(scratch, 'stopped')
    const slow = ['--dns', web.dns, '--allow-private', '--delay', '0.3']
    const first = start(['crawl', ...web.seeds, ...slow, '--out', other])
    await firstPages(first.process.stderr!)
    first.process.kill('SIGINT')
    const stopped = await first.ended
    assert.equal(stopped.code, 0)
    assert.match(stopped.err, /Stopping: pages under way are finished first/)
    assert.match(stopped.err, /orbweaver resume --out/)
    const second = start(['resume', '--out', other])
    await firstPages(second.process.stderr!)
    second.process.kill('SIGINT')
    second.process.kill('SIGINT')
    assert.equal((await second.ended).code, 0)
    const last = (await orbweaver(['resume', '--out', other, '--json'])).json().at(-1)!
    assert.equal(last.reason, 'finished')
    assert.equal(last.pages, web.expected().pages.size)
  })
})

function firstPages(stream: NodeJS.ReadableStream): Promise<void> {
  return new Promise((resolve) => stream.on('data', (text) => /pages?, /.test(String(text)) && resolve()))
}
