import assert from 'node:assert/strict'
import { test } from 'node:test'
import { gunzipSync } from 'node:zlib'
import { get } from '../get.ts'
import { linksOf } from '../naive-crawl.ts'
import type { HostSpec } from '../options.ts'
import { startTestWeb, type TestWeb } from '../web.ts'
import { gzipBomb } from './gzip-bomb.ts'

const dayMs = 86_400_000

async function only(...hosts: readonly HostSpec[]): Promise<TestWeb & { readonly url: string }> {
  const web = await startTestWeb({ hosts })
  return Object.assign(web, { url: web.hosts[0]!.origin })
}

const statusOf = async (web: TestWeb, url: string) => (await get(web, url)).status

test('a slow host makes one wait, but not for robots.txt', async () => {
  await using web = await only({ character: 'slow', pages: 2, gapMs: 60 })
  const startedAt = performance.now()
  await get(web, web.seeds[0]!)
  assert.ok(performance.now() - startedAt >= 29)
  assert.equal(await statusOf(web, `${web.url}/robots.txt`), 200)
})

test('a flaky URL heals after its failures, each URL for itself; some never heal', async () => {
  await using web = await only({ character: 'flaky', pages: 1, failures: 2 })
  assert.equal(await statusOf(web, `${web.url}/heals/status-500`), 500)
  assert.equal(await statusOf(web, `${web.url}/heals/status-500`), 500)
  assert.equal(await statusOf(web, `${web.url}/heals/status-500`), 200)
  for (let attempt = 0; attempt < 2; attempt++) await assert.rejects(get(web, `${web.url}/heals/reset`))
  assert.equal(await statusOf(web, `${web.url}/heals/reset`), 200)
  await assert.rejects(get(web, `${web.url}/heals/half-body`), { code: 'ECONNRESET' })
  await assert.rejects(get(web, `${web.url}/heals/timeout`, {}, AbortSignal.timeout(50)), { name: 'AbortError' })
  for (let attempt = 0; attempt < 5; attempt++) assert.equal(await statusOf(web, `${web.url}/never/status-503`), 503)
})

for (const status of [429, 503])
  test(`a rate-limited host answers ${status} when its burst is spent, and counts who does not rest`, async () => {
    const kinds = [`status-${status}`]
    await using web = await only({ character: 'rate-limited', pages: 2, burst: 2, gapMs: 60_000, kinds })
    assert.equal(await statusOf(web, web.seeds[0]!), 200)
    assert.equal(await statusOf(web, web.seeds[0]!), 200)
    const refused = await get(web, web.seeds[0]!)
    assert.deepEqual([refused.status, refused.headers['retry-after']], [status, '1'])
    assert.deepEqual(web.rateViolations(), [])
    let refusals = 1
    // On a busy machine the second may be over before we are back.
    for (; web.rateViolations().length === 0 && refusals < 20; refusals++) {
      await new Promise((resolve) => setTimeout(resolve, 120))
      await get(web, web.seeds[0]!)
    }
    assert.deepEqual(
      web.rateViolations().map(({ reason }) => reason),
      ['retry-after'],
    )
    assert.equal(web.limited.get(web.hosts[0]!.name), refusals)
  })

test('redirects chain, loop, cross hosts and never end', async () => {
  await using web = await only(
    { character: 'redirecting', pages: 1, kinds: ['routes'] },
    { character: 'polite', pages: 1 },
    { character: 'redirecting', name: 'moved', kinds: ['moved'], target: 'polite-1.test' },
    { character: 'redirecting', name: 'upgrade', kinds: ['upgrade'], https: true },
  )
  const target = async (url: string) => linksOf(url, await get(web, url))[0]
  assert.equal(await target(`${web.url}/chain/2`), `${web.url}/chain/3`)
  assert.equal(await target(`${web.url}/loop/a`), `${web.url}/loop/b`)
  assert.equal(await target(`${web.url}/self`), `${web.url}/self`)
  assert.equal(await target(`${web.url}/elsewhere`), web.seeds[1])
  assert.equal(await target(`${web.url}/endless/41`), `${web.url}/endless/42`)
  assert.equal(await target(`${web.hosts[2]!.origin}/guides/x?a=1`), `${web.hosts[1]!.origin}/guides/x?a=1`)
  assert.equal(await target(`${web.hosts[3]!.originOf.http}/a`), `${web.hosts[3]!.originOf.https}/a`)
  assert.equal((await get(web, `${web.url}/without-location`)).headers.location, undefined)
})

test('a guarded host links its closed paths from every page and counts who enters', async () => {
  await using web = await only({ character: 'robots-guarded', pages: 3, kinds: ['plain'] })
  const expected = web.expected()
  const robots = (await get(web, `${web.url}/robots.txt`)).body.toString()
  assert.match(robots, /Disallow: \/private\//)
  for (const url of expected.pages.keys()) {
    const links = new Set(linksOf(url, await get(web, url)))
    if (new URL(url).pathname.startsWith('/private')) continue
    if (web.hosts[0]!.graph.pageAt(new URL(url).pathname) === undefined) continue
    for (const closed of expected.excluded.keys()) assert.ok(links.has(closed), `${url} links to ${closed}`)
  }
  assert.deepEqual(web.robotsViolations(), [])
  await get(web, `${web.url}/private/diary`)
  assert.deepEqual(
    web.robotsViolations().map(({ entry, reason }) => [entry.target, reason]),
    [['/private/diary', 'disallowed']],
  )
})

test('a broken robots.txt fails for ever, heals, is missing, moves or is too long', async () => {
  await using web = await only({ character: 'robots-broken', count: 10, pages: 1 })
  const robots = (ordinal: number) => get(web, `${web.hosts[ordinal]!.origin}/robots.txt`, {}, AbortSignal.timeout(300))
  const statuses = async (ordinal: number) => [(await robots(ordinal)).status, (await robots(ordinal)).status]
  assert.deepEqual(await statuses(0), [500, 500])
  await assert.rejects(robots(1), { name: 'AbortError' })
  await assert.rejects(robots(2), { code: 'ECONNRESET' })
  assert.deepEqual([...(await statuses(3)), (await robots(3)).status], [503, 503, 200])
  assert.deepEqual(await statuses(4), [404, 404])
  assert.deepEqual(await statuses(5), [403, 403])
  assert.equal((await robots(6)).headers.location, '/rules/robots.txt')
  assert.match((await get(web, `${web.hosts[6]!.origin}/rules/robots.txt`)).body.toString(), /Disallow: \/private\//)
  assert.match((await robots(7)).headers.location!, /^http:\/\/robots-broken-1\.test/)
  assert.ok((await robots(9)).body.length > 500 * 1024)
  await get(web, `${web.hosts[0]!.origin}/`)
  assert.deepEqual(
    web.robotsViolations().map(({ reason }) => reason),
    ['robots-unavailable'],
  )
})

test('pages change, go and come with the time of the web, and validators tell', async () => {
  await using web = await only({ character: 'changing', pages: 8 })
  const page = (number: number) => web.url + web.hosts[0]!.graph.path(number)
  const before = await Promise.all([1, 2, 3, 4].map((number) => get(web, page(number))))
  const unchanged = { 'if-none-match': before[0]!.headers.etag! }
  assert.equal((await get(web, page(1), unchanged)).status, 304)
  web.advance(3 * dayMs)
  const after = await Promise.all([1, 2, 3, 4].map((number) => get(web, page(number))))
  assert.deepEqual(
    after.map(({ body }, i) => !body.equals(before[i]!.body)),
    [true, true, false, false],
  )
  assert.equal((await get(web, page(1), unchanged)).status, 200)
  const since = { 'if-modified-since': before[3]!.headers['last-modified']! }
  assert.equal((await get(web, page(4), since)).status, 304)
  assert.equal((await get(web, page(1), since)).status, 200)
  assert.equal(await statusOf(web, `${web.url}/passing`), 410)
  assert.ok(linksOf(web.seeds[0]!, await get(web, web.seeds[0]!)).includes(`${web.url}/newcomer`))
  assert.equal(await statusOf(web, `${web.url}/newcomer`), 200)
})

test('copies and mirrors have equal bytes', async () => {
  await using web = await only({ character: 'duplicates', pages: 1 }, { character: 'mirrors', count: 2, pages: 4 })
  const { duplicates, nearDuplicates } = web.expected()
  assert.equal(duplicates.length, 3 + 4)
  for (const group of duplicates) {
    const bodies = await Promise.all(group.map(async (url) => (await get(web, url)).body.toString()))
    assert.equal(new Set(bodies).size, 1)
  }
  for (const group of nearDuplicates) {
    const bodies = await Promise.all(group.map(async (url) => (await get(web, url)).body.toString()))
    assert.equal(new Set(bodies).size, 3)
  }
})

test('traps have no end', async () => {
  await using web = await only({ character: 'traps', pages: 1 })
  const next = async (url: string) => linksOf(url, await get(web, url))
  assert.ok((await next(`${web.url}/calendar/9999/12`)).includes(`${web.url}/calendar/10000/01`))
  assert.ok((await next(`${web.url}/loop/again/more/`)).includes(`${web.url}/loop/again/more/again/more/`))
  assert.ok((await next(`${web.url}/catalogue?size=s`)).includes(`${web.url}/catalogue?colour=red&size=s`))
  const [first, second] = [await next(`${web.url}/shop`), await next(`${web.url}/shop`)]
  assert.ok(first.some((link) => link.includes('PHPSESSID=')) && first.some((link) => link.includes(';jsessionid=')))
  assert.notDeepEqual(first, second)
})

test('every hostile answer differs from a sound one, and the server survives them all', async () => {
  await using web = await only({ character: 'hostile', pages: 1 })
  const outcome = async (kind: string, patienceMs = 20_000) => {
    try {
      const { status, body } = await get(web, `${web.url}/hostile/${kind}`, {}, AbortSignal.timeout(patienceMs))
      return `${status} ${body.length > 2 ** 20 ? 'large' : 'small'}`
    } catch (error) {
      return String((error as NodeJS.ErrnoException).code ?? error)
    }
  }
  for (const kind of ['slow-drip', 'slow-headers', 'never-answers', 'endless-body'])
    assert.equal(await outcome(kind, 250), 'ABORT_ERR', kind)
  for (const kind of ['length-too-long', 'unfinished-chunks', 'empty-reply'])
    assert.match(await outcome(kind), /ECONNRESET|HPE_/, kind)
  for (const kind of ['garbage', 'other-protocol', 'broken-chunks', 'two-lengths', 'length-no-number', 'header-bomb'])
    assert.match(await outcome(kind), /^HPE_/, kind)
  for (const kind of ['broken-gzip', 'not-gzip']) assert.match(await outcome(kind), /^Z_/, kind)
  assert.equal(await outcome('bad-status'), '999 small')
  assert.equal(await outcome('many-links'), '200 large')
  assert.ok((await get(web, `${web.url}/robots.txt`)).body.length > 2 ** 20)
  assert.equal(await statusOf(web, web.seeds[0]!), 200)
})

test('the gzip bomb is a valid archive of zeros a thousand times its size', () => {
  const bomb = gzipBomb(8 * 2 ** 20)
  assert.ok(gunzipSync(bomb).equals(Buffer.alloc(8 * 2 ** 20)))
  assert.ok(bomb.length < 10_000)
})

test('a host that is not there refuses connections', async () => {
  await using web = await only({ character: 'unreachable', kinds: ['refused'] })
  await assert.rejects(get(web, web.seeds[0]!), { code: 'ECONNREFUSED' })
})

test('a kind that a character does not know is refused with those it knows', async () => {
  await assert.rejects(
    only({ character: 'traps', kinds: ['maze'] }),
    /traps knows the kinds calendar, .*asked for maze/,
  )
})

test('hosts are told apart by name, whatever its case, and unknown ones are misdirected', async () => {
  await using web = await only({ character: 'polite', pages: 1 })
  const address = `http://${web.hosts[0]!.address}:${web.httpPort}/`
  const host = `${web.hosts[0]!.name}:${web.httpPort}`
  assert.equal((await get(web, address, { host: 'unknown.test' })).status, 421)
  assert.equal((await get(web, address, { host: host.toUpperCase() })).status, 200)
})
