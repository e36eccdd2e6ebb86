import assert from 'node:assert/strict'
import { hash } from 'node:crypto'
import {
  appendFileSync,
  cpSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { openCrawl } from '../../src/app.ts'
import { loadConfig, type Tree } from '../../src/config/load.ts'
import { type CrawlFolder, openCrawlFolder } from '../../src/embedded/crawl-folder.ts'
import { archiveFiles } from '../../src/store/adapters/files/recover.ts'
import { type Random, random } from '../web/random.ts'
import type { RemoteWeb } from '../web/remote.ts'
import { faultsIn } from './audit.ts'
import { scratchFolder } from './crawl-of-web.ts'
import { CrawlProcess, orbweaver } from './processes.ts'
import { expectedOf, folderFor, impatient, startWeb } from './remote-crawl.ts'

const web = {
  seed: 'damaged',
  hosts: [
    { character: 'polite', name: 'shop', count: 4, pages: 15 },
    { character: 'mirrors', name: 'mirror', count: 3, pages: 10 },
    { character: 'duplicates', pages: 8 },
    { character: 'flaky', pages: 4, kinds: ['status-500', 'reset'] },
    { character: 'dead-links', pages: 6 },
  ],
} as const

let internet: RemoteWeb
let scratch: ReturnType<typeof scratchFolder>
/** The same crawl, killed in the middle, and stopped there in order. */
let folders: Record<'killed' | 'stopped', CrawlFolder>

before(async () => {
  internet = await startWeb(web)
  scratch = scratchFolder()
  folders = { killed: await begun('killed'), stopped: await begun('stopped') }
})

after(async () => {
  scratch[Symbol.dispose]()
  await internet[Symbol.asyncDispose]()
})

const tail = (bytes: number, chance: Random) => bytes - 1 - chance.below(Math.min(bytes - 1, bytes >> 1))
const damages: Record<string, (path: string, chance: Random) => void> = {
  'is cut short': (path, chance) => truncateSync(path, tail(statSync(path).size, chance)),
  'has garbage behind it': (path, chance) => appendFileSync(path, garbage(3000, chance)),
  'has a flipped byte': (path, chance) => {
    const bytes = readFileSync(path)
    const at = tail(bytes.length, chance)
    bytes.writeUInt8(bytes.readUInt8(at) ^ 0x20, at)
    writeFileSync(path, bytes)
  },
  'ends in garbage': (path, chance) => {
    const bytes = readFileSync(path)
    const at = tail(bytes.length, chance)
    writeFileSync(path, Buffer.concat([bytes.subarray(0, at), garbage(bytes.length - at, chance)]))
  },
  'is empty': (path) => truncateSync(path, 0),
  'is gone': (path) => rmSync(path),
}

const cases = {
  'WARC file': {
    killed: ['is cut short', 'has garbage behind it', 'has a flipped byte', 'ends in garbage'],
    stopped: ['is cut short', 'has a flipped byte', 'is empty', 'is gone'],
  },
  'write-ahead log': { killed: ['is cut short', 'has a flipped byte', 'ends in garbage', 'is gone'], stopped: [] },
  filter: { killed: [], stopped: ['is cut short', 'has a flipped byte', 'is gone'] },
} as const

for (const [file, ends] of Object.entries(cases))
  for (const end of ['killed', 'stopped'] as const)
    for (const what of ends[end])
      test(`a crawl that was ${end} and whose ${file} ${what} ends exactly as expected`, () =>
        endsWell(end, file as keyof typeof cases, what))

for (const [what, from, to] of [
  ['as a whole', 0, 1],
  ['at its start', 0, 0.01],
  ['but for its start', 0.1, 1],
] as const)
  test(`a database overwritten with garbage ${what} is told in one sentence and left as it is`, async () => {
    using copy = copyOf('stopped')
    const { database } = copy.folder
    const bytes = readFileSync(database)
    const [first, last] = [Math.floor(from * bytes.length), Math.ceil(to * bytes.length)]
    garbage(last - first, random(what)).copy(bytes, first)
    writeFileSync(database, bytes)
    const before = bytesIn(copy.folder.path)
    for (const command of ['resume', 'status']) {
      const { code, stdout, stderr } = await orbweaver([command, '--json', '--out', copy.folder.path])
      assert.equal(code, 1, stdout)
      assert.match(stderr, /^\S*crawl\.sqlite is damaged[^\n]*\.\n$/)
    }
    assert.deepEqual(bytesIn(copy.folder.path), before)
  })

for (const what of ['is empty', 'is gone'] as const)
  test(`a database that ${what} is told in one sentence, and nothing is begun anew over its archive`, async () => {
    using copy = copyOf('stopped')
    damages[what]!(copy.folder.database, random(what))
    for (const suffix of ['-wal', '-shm']) rmSync(copy.folder.database + suffix, { force: true })
    const before = bytesIn(copy.folder.path)
    for (const command of ['resume', 'status', 'search x']) {
      const { code, stdout, stderr } = await orbweaver([...command.split(' '), '--json', '--out', copy.folder.path])
      assert.equal(code, 1, stdout)
      assert.match(stderr, /^\S*crawl\.sqlite is missing or empty[^\n]*\.\n$/)
    }
    assert.deepEqual(bytesIn(copy.folder.path), before)
  })

async function begun(end: 'killed' | 'stopped'): Promise<CrawlFolder> {
  const folder = folderFor(internet, join(scratch.path, end), { ...impatient, 'politeness.delayMs': 20 })
  const seen = (await internet.log()).length
  await using running = new CrawlProcess(folder.path)
  await running.open()
  while ((await internet.log()).length < seen + 80) await sleep(20)
  await (end === 'killed' ? running.kill() : running.stop())
  return folder
}

async function endsWell(end: 'killed' | 'stopped', file: keyof typeof cases, what: string): Promise<void> {
  using copy = copyOf(end)
  damages[what]!(pathOf(copy.folder, file), random(end, file, what))
  const { config } = loadConfig({
    base: copy.folder.orders.config as Tree,
    overrides: { 'politeness.delayMs': 0, 'fetch.retryDelaysMs': [10, 20, 40] },
  })
  {
    await using crawl = await openCrawl(copy.folder, config)
    assert.equal(await crawl.run(), 'finished')
  }
  assert.deepEqual(await faultsIn(copy.folder, await expectedOf(internet), file === 'WARC file'), [])
}

function pathOf({ archive, database, filter }: CrawlFolder, file: keyof typeof cases): string {
  switch (file) {
    case 'WARC file':
      return join(archive, archiveFiles(archive).at(-1)!)
    case 'write-ahead log':
      return `${database}-wal`
    case 'filter':
      return filter
    default:
      return file satisfies never
  }
}

function copyOf(end: 'killed' | 'stopped'): { folder: CrawlFolder } & Disposable {
  const target = scratchFolder()
  cpSync(folders[end].path, target.path, { recursive: true })
  return { folder: openCrawlFolder(target.path), [Symbol.dispose]: () => target[Symbol.dispose]() }
}

function garbage(bytes: number, chance: Random): Buffer {
  return Buffer.from(Array.from({ length: bytes }, () => chance.below(256)))
}

/** Every file that holds something of the crawl, by its hash. */
function bytesIn(folder: string): Record<string, string> {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  const paths = files
    .map((file) => join(file.parentPath, file.name))
    .filter((path) => statSync(path).size > 0 && !path.endsWith('-shm'))
  return Object.fromEntries(paths.sort().map((path) => [path, hash('sha256', readFileSync(path))]))
}
