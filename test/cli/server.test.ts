import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { createClient } from '../../src/server/client.ts'
import { type ServedWeb, servedWeb } from '../../src/server/server.fixture.ts'
import { scratchFolder } from '../crawl/crawl-of-web.ts'
import { orbweaver, type Running, start } from './orbweaver.ts'

describe('commands that ask a server', () => {
  let served: ServedWeb
  before(async () => {
    served = await servedWeb()
    await served.crawl('asked', ['side', 'nowhere'])
    await served.ended('asked')
  })
  after(() => served[Symbol.asyncDispose]())

  const ask = (...args: string[]) => orbweaver([...args, '--server', served.server.url])

  test('status tells of all its crawls and workers, or of one', async () => {
    const all = await ask('status')
    assert.equal(all.code, 0, all.err)
    assert.match(all.out, /1 crawl, 1 worker/)
    assert.match(all.out, /asked +finished/)
    const one = await ask('status', '--crawl', 'asked', '--json')
    const [status] = one.json() as { pages: number; state: string; frontier: { dead: number } }[]
    assert.deepEqual([status!.state, status!.pages, status!.frontier.dead], ['finished', 4, 1])
  })

  test('a server that does not answer is told in one sentence', async () => {
    const away = await orbweaver(['status', '--server', 'http://127.0.0.1:1'])
    assert.equal(away.code, 2)
    assert.match(away.err, /^No server answers at http:\/\/127\.0\.0\.1:1: .+\n$/)
  })
})

/** The address that a server prints when it is ready. */
function addressOf({ process: child }: Running): Promise<string> {
  return new Promise((resolve, reject) => {
    let said = ''
    child.stderr!.on('data', (text: string) => {
      said += text
      const address = /Dashboard and API: (http:\S+)/.exec(said)?.[1]
      if (address) resolve(address)
    })
    child.on('exit', () => reject(new Error(`It ended: ${said}`)))
  })
}

describe('commands that serve', () => {
  test('serve shows crawls in a folder until Ctrl-C', async () => {
    using scratch = scratchFolder()
    const running = start(['serve', '--out', scratch.path, '--listen', '127.0.0.1:0'])
    const client = createClient({ server: await addressOf(running) })
    assert.deepEqual((await client.listCrawls()).crawls, [])
    assert.equal((await client.getReadiness()).status, 'ok')
    running.process.kill('SIGINT')
    assert.equal((await running.ended).code, 0)
  })

  test('crawl --dashboard shows the crawl while it runs, and lets it be steered', async () => {
    await using served = await servedWeb()
    using scratch = scratchFolder()
    const settings = ['--delay', '1s', '--allow-private', '--dns', served.web.dns, '--threads', '0']
    const out = ['--out', `${scratch.path}/shown`, '--dashboard', '--listen', '127.0.0.1:0']
    const running = start(['crawl', `${served.origin('shop')}/`, ...settings, ...out])
    const client = createClient({ server: await addressOf(running) })
    const params = { crawl: 'shown' }
    assert.equal((await client.getCrawl({ params })).state, 'running')
    await assert.rejects(client.createCrawl({ body: { seeds: ['a.test'] } }), /shows one crawl/)
    assert.equal((await client.pauseCrawl({ params })).state, 'paused')
    assert.equal((await client.resumeCrawl({ params })).state, 'running')
    assert.equal((await client.stopCrawl({ params })).state, 'stopping')
    const { code, err } = await running.ended
    assert.equal(code, 0, err)
    assert.match(err, /Stopped: /)
  })

  test('an address that others can reach is refused in one sentence', async () => {
    using scratch = scratchFolder()
    const { code, err } = await orbweaver(['serve', '--out', scratch.path, '--listen', '0.0.0.0:0'])
    assert.equal(code, 2)
    assert.match(err, /^0\.0\.0\.0:0 can be reached by others: .*--token-file.*\n$/)
  })
})
