import assert from 'node:assert/strict'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { commandNames } from '../../src/cli/commands.ts'
import { type ServedWeb, servedWeb } from '../../src/server/server.fixture.ts'
import { scratchFolder } from '../crawl/crawl-of-web.ts'
import { skipWithout, withRedis } from '../fleet/fleet-of-web.ts'
import { orbweaver } from './orbweaver.ts'

/** What each command does with `--server`: a table that no new command can be left out of. */
const table: Readonly<Record<string, 'same' | 'acts' | 'server only' | 'local'>> = {
  crawl: 'acts',
  resume: 'acts',
  status: 'same',
  why: 'same',
  hosts: 'same',
  top: 'server only',
  search: 'same',
  show: 'same',
  export: 'same',
  dead: 'same',
  inspect: 'local',
  robots: 'local',
  normalize: 'local',
  demo: 'local',
  worker: 'local',
  stop: 'acts',
  serve: 'local',
  reindex: 'acts',
  doctor: 'server only',
  bench: 'local',
}

test('every command stands in the table', () => {
  assert.deepEqual(Object.keys(table), commandNames)
})

describe('a command answers through a server as it does beside the folder', () => {
  let served: ServedWeb
  let scratch: ReturnType<typeof scratchFolder>
  before(async () => {
    served = await servedWeb()
    scratch = scratchFolder()
    await served.crawl('asked', ['side', 'nowhere'])
    await served.ended('asked')
  })
  after(async () => {
    scratch[Symbol.dispose]()
    await served[Symbol.asyncDispose]()
  })

  const onServer = (...args: string[]) => orbweaver([...args, '--crawl', 'asked', '--server', served.server.url])
  const inFolder = (...args: string[]) => orbweaver([...args, '--out', join(served.home, 'asked')])

  /** PAGE is a page of the crawl, LOST a dead letter, OTHER a URL that the crawl never met. */
  const asked: readonly string[] = [
    'status --json',
    'why PAGE',
    'why LOST --json',
    'why OTHER',
    'hosts',
    'search page',
    'search nothingofthekind --json',
    'show PAGE',
    ...['markdown', 'html', 'links', 'record', 'headers', 'raw'].map((form) => `show PAGE --as ${form}`),
    'show OTHER',
    'dead list',
    'dead list --reason reset --json',
    'dead show',
    'export --format jsonl',
    'export --format csv --columns url,title,status --all',
  ]
  for (const line of asked)
    test(line, async () => {
      const { origin } = served
      const urls = { PAGE: `${origin('side')}/`, LOST: `${origin('nowhere')}/`, OTHER: 'https://elsewhere.test/' }
      const args = line.split(' ').map((word) => urls[word as 'PAGE'] ?? word)
      const [there, here] = await Promise.all([onServer(...args), inFolder(...args)])
      assert.equal(there.code, here.code, there.err)
      assert.equal(withoutPlace(there.err), withoutPlace(here.err))
      assert.equal(withoutName(there.out), here.out)
    })

  for (const [format, name] of [
    ['parquet', 'pages.parquet'],
    ['parquet', 'tables'],
    ['markdown', 'markdown'],
  ] as const)
    test(`export --format ${format} --to ${name}`, async () => {
      const places = ['there', 'here'].map((place) => join(scratch.path, `${place}-${name}`))
      const args = (to: string) => ['export', '--format', format, '--to', to]
      const [there, here] = await Promise.all([onServer(...args(places[0]!)), inFolder(...args(places[1]!))])
      assert.equal(there.code, 0, there.err)
      assert.equal(here.code, 0, here.err)
      const [written, expected] = places.map(filesIn) as [Map<string, Buffer>, Map<string, Buffer>]
      assert.ok(expected.size > 0)
      assert.deepEqual([...written.keys()], [...expected.keys()])
      if (format === 'markdown') assert.deepEqual(written, expected)
    })
})

/** Hints name the crawl as their reader did. */
const withoutPlace = (text: string) => text.replaceAll(/ --(?:out|server|crawl) [^`\s]+/g, '')

/** Where crawls have names, `status` tells them. */
const withoutName = (text: string) => text.replace(/^asked: /, '')

/** By their paths below the folder, or the file alone. */
function filesIn(path: string): Map<string, Buffer> {
  if (!statSync(path).isDirectory()) return new Map([['', readFileSync(path)]])
  const names = readdirSync(path, { recursive: true, encoding: 'utf8' }).toSorted()
  return new Map(
    names.flatMap((name) => {
      const file = join(path, name)
      return statSync(file).isDirectory()
        ? []
        : [[name.replaceAll(/crawl=[^/]+/g, 'crawl'), readFileSync(file)] as const]
    }),
  )
}

describe('what can be done is done through a server', () => {
  let served: ServedWeb
  before(async () => {
    served = await servedWeb()
  })
  after(() => served[Symbol.asyncDispose]())
  const ask = (...args: string[]) => orbweaver([...args, '--server', served.server.url])
  const settings = () => ['--delay', '0', '--allow-private', '--dns', served.web.dns, '--threads', '0']

  test('a crawl is started, followed to its end and summed up', async () => {
    const { code, err, json } = await ask(
      ...['crawl', `${served.origin('side')}/`, '--crawl', 'small', ...settings(), '--json'],
    )
    assert.equal(code, 0, err)
    const summary = json().at(-1)!
    assert.deepEqual([summary.pages, summary.reason], [4, 'finished'])
    const shown = await ask('crawl', `${served.origin('side')}/`, '--crawl', 'again', ...settings())
    assert.match(shown.err, /The server crawls it as again/)
    assert.match(shown.err, /Finished: 4 pages/)
    assert.match(shown.err, new RegExp(`orbweaver search "some words" --crawl again --server ${served.server.url}`))
  })

  test('a crawl that is not followed is stopped, and resumed by another limit', async () => {
    const slow = [...settings().slice(2), '--delay', '300ms']
    const begun = await ask('crawl', `${served.origin('shop')}/`, '--crawl', 'long', ...slow, '--detach')
    assert.equal(begun.code, 0, begun.err)
    assert.match(begun.err, /It goes on without us\. See `orbweaver status --crawl long --server /)
    assert.match((await ask('stop', '--crawl', 'long')).out, /long is stopping/)
    const { tally } = await served.ended('long')
    assert.ok(tally.pages < 30)
    const limit = String(tally.pages + 2)
    const resumed = await ask('resume', '--crawl', 'long', '--max-pages', limit)
    assert.equal(resumed.code, 0, resumed.err)
    assert.match(resumed.err, /The server goes on with long/)
    assert.equal((await served.client.getCrawl({ params: { crawl: 'long' } })).tally.pages, Number(limit))
  })

  test('dead letters are sent back and dropped', async () => {
    const seeds = [`${served.origin('side')}/`, `${served.origin('nowhere')}/`]
    await ask('crawl', ...seeds, '--crawl', 'lossy', ...settings())
    assert.match((await ask('dead', 'retry', '--crawl', 'lossy')).out, /^Queued again: 1 URL\./)
    assert.equal((await ask('resume', '--crawl', 'lossy')).code, 0)
    assert.match((await ask('dead', 'drop', '--crawl', 'lossy')).out, /^Excluded for good: 1 URL\./)
  })

  test('doctor tells whether the server is fit, and top shows a snapshot', async () => {
    const { code, out } = await ask('doctor')
    assert.equal(code, 0, out)
    assert.match(out, /server +over a folder/)
    assert.match(out, /role +admin/)
    assert.match((await ask('top', '--once')).out, /pages\/s/)
  })

  test('what cannot be done is told in one sentence', async () => {
    const wrong: readonly (readonly [RegExp, ...string[]])[] = [
      [/^A crawl in a folder is indexed together with its pages/, 'reindex'],
      [/^WARC files are not sent by a server/, 'export', '--format', 'warc', '--to', 'x'],
      [/^There is no crawl "none" on this server/, 'stop', '--crawl', 'none'],
      [/^There is no crawl "none" on this server/, 'resume', '--crawl', 'none'],
      [/^There is no crawl "none" on this server/, 'why', 'a.test', '--crawl', 'none'],
      [/^There is no crawl "none" on this server/, 'export', '--crawl', 'none'],
      [/^Name a URL/, 'why'],
      [/^--dashboard is for crawls in this process/, 'crawl', 'a.test', '--dashboard'],
      [/^--log is for crawls in this process/, 'resume', '--log', '-'],
      [/^A server lets only --max-pages and --max-duration be changed/, 'resume', '--threads', '2'],
    ]
    for (const [says, ...args] of wrong) {
      const { code, err } = await ask(...args)
      assert.equal(code, 2, `${args.join(' ')}: ${err}`)
      assert.match(err, says)
      assert.equal(err.trim().split('\n').length, 1, err)
    }
  })

  for (const name of Object.keys(table).filter((one) => table[one] === 'local'))
    test(`${name} works here, and says so`, async () => {
      const { code, err } = await ask(name)
      assert.equal(code, 2)
      assert.equal(err, `\`orbweaver ${name}\` works here and asks no server: leave out --server.\n`)
    })
})

test('reindex builds the index of a fleet anew through its server', { skip: skipWithout(withRedis) }, async () => {
  const open = async () => (await import('../../src/orchestrator/adapters/fleet/test-fleet.ts')).openTestFleet()
  await using served = await servedWeb({ open })
  await served.crawl('asked', ['side'])
  await served.ended('asked')
  const { code, out, err } = await orbweaver(['reindex', '--server', served.server.url])
  assert.equal(code, 0, err)
  assert.equal(out, '4 pages of asked searchable anew.\n')
})
