import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type { CrawlFolder } from '../../src/embedded/crawl-folder.ts'
import { openReader } from '../../src/embedded/open-reader.ts'
import type { Expected } from '../web/expected.ts'
import type { LogEntry } from '../web/log.ts'
import type { WebOptions } from '../web/options.ts'
import { type Random, random } from '../web/random.ts'
import { faultsIn } from './audit.ts'
import { scratchFolder } from './crawl-of-web.ts'
import { CrawlProcess, orbweaver } from './processes.ts'
import { expectedOf, folderFor, impatient, startWeb } from './remote-crawl.ts'
import { hastyIn, type Run, repeatsIn } from './repeats.ts'

const kills = 55
const seed = process.env.ORBWEAVER_TEST_SEED ?? '1'
const delayMs = 100
/** Longer than a process takes to come back, and than most of them live: no machine is done before the last kill. */
const patientDelayMs = 1500
const commitEveryMs = 200

const web: WebOptions = {
  seed: 'killed',
  hosts: [
    { character: 'polite', name: 'shop', count: 16, pages: 40 },
    { character: 'polite', name: 'patient', count: 3, pages: 5 },
    { character: 'polite', name: 'secure', count: 2, pages: 25, https: true },
    { character: 'slow', count: 2, pages: 15, gapMs: 200 },
    { character: 'mirrors', name: 'mirror', count: 3, pages: 25 },
    { character: 'duplicates', pages: 15 },
    { character: 'flaky', pages: 12, kinds: ['status-500', 'status-502', 'reset', 'half-body'] },
    { character: 'rate-limited', count: 2, pages: 15, burst: 4, gapMs: 130 },
    { character: 'robots-guarded', count: 5, pages: 4, gapMs: 1500 },
    { character: 'robots-broken', count: 3, pages: 4, kinds: ['heals', 'missing', 'always-500'] },
    { character: 'redirecting', pages: 10, kinds: ['routes'] },
    { character: 'robots-meta', pages: 10 },
    { character: 'canonicals', pages: 10 },
    { character: 'traps', pages: 6, kinds: ['calendar', 'loops', 'sessions'] },
    { character: 'multilingual', pages: 4 },
    { character: 'files', pages: 4 },
    { character: 'compressed', pages: 4 },
    { character: 'dead-links', pages: 20 },
  ],
}
const settings = {
  ...impatient,
  'url.scope': 'domain',
  'politeness.delayMs': delayMs,
  'politeness.maxGapMs': 1000,
  'politeness.hosts': Object.fromEntries([1, 2, 3].map((n) => [`patient-${n}.test`, { delayMs: patientDelayMs }])),
}

test(`${kills} kills at random moments of one crawl leave what an undisturbed crawl gives`, async (t) => {
  await using internet = await startWeb(web)
  using scratch = scratchFolder()
  const folder = folderFor(internet, scratch.path, settings)

  const runs = await crawlAndKill(folder, random('kills', seed))
  const killedAt = runs.map((run) => run.killedAt)
  runs.push({ openedAt: Date.now(), killedAt: Infinity })
  const last = await orbweaver(['resume', '--json', '--out', folder.path])
  assert.deepEqual([last.code, last.stderr], [0, ''])
  const log = await internet.log()
  const violations = await internet.violations()
  const expected = await expectedOf(internet)

  assert.deepEqual(await faultsIn(folder, expected), [])
  assert.deepEqual(violations.robots, [])
  assert.deepEqual(
    violations.rate.filter(({ entry }) => !wasForgotten(entry, log, killedAt)),
    [],
  )
  const hasty = ['patient-1.test', 'patient-2.test', 'patient-3.test'].flatMap((host) =>
    hastyIn(
      log.filter((entry) => entry.host === host),
      toleratedShare * patientDelayMs,
      runs,
    ),
  )
  assert.deepEqual(hasty, [])

  const repeats = repeatsIn(
    log.filter(({ host }) => !asksAgain.test(host)),
    runs,
  )
  const causeless = repeats.filter(({ lostIn }) => !lostIn)
  assert.deepEqual(causeless, [], 'without a kill nothing is fetched twice')
  const perKill = runs.map((run) => repeats.filter(({ lostIn }) => lostIn === run).length)
  t.diagnostic(
    `${kills} kills, ${log.length} requests, ${repeats.length} repeated: ${(repeats.length / kills).toFixed(1)} a kill, ` +
      `at most ${Math.max(...perKill)} and ${Math.max(...repeats.map(({ lostMs }) => lostMs))} ms old`,
  )
  // For each host one under way, and those of one group commit.
  const lostAtMost = internet.seeds.length * (1 + commitEveryMs / delayMs)
  assert.ok(Math.max(...perKill) <= lostAtMost, `a kill cost ${Math.max(...perKill)} visits, not up to ${lostAtMost}`)

  await using undisturbed = new AsyncDisposableStack()
  const other = undisturbed.use(scratchFolder())
  const calm = folderFor(internet, other.path, { ...settings, 'politeness.delayMs': 0, 'politeness.hosts': {} })
  assert.equal((await orbweaver(['resume', '--json', '--out', calm.path])).code, 0)
  const [killed, spared] = [await contentOf(folder, expected), await contentOf(calm, expected)]
  const unequal = [...killed.keys(), ...spared.keys()].filter((url) => killed.get(url) !== spared.get(url))
  assert.deepEqual(unequal, [])
})

/** Runs the crawl again and again, each time for a moment. */
async function crawlAndKill(folder: CrawlFolder, chance: Random): Promise<Run[]> {
  const runs: Run[] = []
  await using standby = new AsyncDisposableStack()
  let next = standby.use(new CrawlProcess(folder.path))
  while (runs.length < kills) {
    const running = next
    next = standby.use(new CrawlProcess(folder.path))
    const openedAt = await running.open()
    const ended = await Promise.race([running.ended(), sleep(lifeMs(chance))])
    assert.equal(ended, undefined, `the web is too small: the crawl ended after ${runs.length} kills`)
    await running.kill()
    runs.push({ openedAt, killedAt: Date.now() })
  }
  return runs
}

/** Mostly a moment; now and then long enough for patient hosts to be touched. */
function lifeMs(chance: Random): number {
  return chance.chance(0.9) ? 50 + chance.below(250) : 500 + chance.below(1500)
}

/** A busy server notes a request later than it came. */
const toleratedShare = 0.75
/** Hosts that make an honest crawler come again. */
const asksAgain = /^(flaky|rate-limited|robots-broken)/
/** From the answer of a server that asks for rest to the commit of that. */
const notedWithinMs = 300

/** A Retry-After that was sent right before a kill was never noted: nobody could have. */
function wasForgotten(entry: LogEntry, log: readonly LogEntry[], killedAt: readonly number[]): boolean {
  const asked = log.findLast(
    ({ host, status, wallMs }) => host === entry.host && wallMs < entry.wallMs && (status === 429 || status === 503),
  )
  return asked !== undefined && killedAt.some((at) => at >= asked.wallMs && at - asked.wallMs < notedWithinMs)
}

/** What a crawl has of each URL, but for the order in which copies came and for pages that are never the same. */
async function contentOf(folder: CrawlFolder, { pages }: Expected): Promise<ReadonlyMap<string, string>> {
  await using reader = await openReader(folder)
  const content = new Map<string, string>()
  for await (const { url, kind, status, finalUrl, contentHash, title, text, lang, links } of reader.records.scan()) {
    const hash = pages.get(url)?.contentKey === '' ? '' : contentHash
    content.set(url, JSON.stringify({ kind, status, finalUrl, hash, title, text, lang, links }))
  }
  return content
}
