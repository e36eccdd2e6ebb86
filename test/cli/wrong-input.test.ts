import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { closeSync, existsSync, mkdirSync, openSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { scratchFolder } from '../crawl/crawl-of-web.ts'
import { orbweaver, programPath } from './orbweaver.ts'

describe('wrong input gets one clear sentence, exit code 2, and changes nothing', { concurrency: 2 }, () => {
  const cases: readonly {
    readonly args: readonly string[]
    readonly says: RegExp
    readonly env?: Record<string, string>
  }[] = [
    { args: ['crwal', 'https://example.com'], says: /no command "crwal"\. Did you mean crawl\?/ },
    { args: ['crawl'], says: /Name at least one URL/ },
    { args: ['crawl', 'ftp://example.com/'], says: /"ftp:\/\/example\.com\/" is no URL to start from/ },
    { args: ['crawl', 'https://'], says: /is no URL to start from/ },
    {
      args: ['crawl', 'https://example.com', '--max-page', '3'],
      says: /no option --max-page\. Did you mean --max-pages\?/,
    },
    { args: ['crawl', 'https://example.com', '--max-pages', 'many'], says: /--max-pages takes a number, not "many"/ },
    { args: ['crawl', 'https://example.com', '--delay', 'soon'], says: /--delay takes a time such as 30s/ },
    { args: ['crawl', 'https://example.com', '--recrawl', 'often'], says: /--recrawl takes a time such as 30s/ },
    { args: ['crawl', 'https://example.com', '--recrawl', '2h..1h'], says: /recrawl\.maxMs.*not be less/ },
    { args: ['crawl', 'https://example.com', '--scope', 'planet'], says: /Setting url\.scope: / },
    { args: ['crawl', 'https://example.com', '--include', 're:('], says: /re:\(/ },
    { args: ['crawl', 'https://example.com', '--exclude', 're:(a)\\1'], says: /re:\(a\)\\1/ },
    {
      args: ['crawl', 'https://example.com', '--set', 'fetch.maxBodyByte=5'],
      says: /Unknown setting fetch\.maxBodyByte\. Did you mean fetch\.maxBodyBytes\?/,
    },
    {
      args: ['crawl', 'https://example.com', '--seeds', '/no/such/list'],
      says: /The seed list \/no\/such\/list cannot be read/,
    },
    {
      args: ['crawl', 'https://example.com', '--config', '/no/such/file'],
      says: /Configuration file \/no\/such\/file cannot be read/,
    },
    { args: ['crawl', 'https://example.com', '--dns', 'nonsense'], says: /dns\.servers/ },
    {
      args: ['crawl', 'https://example.com'],
      says: /ORBWEAVER_FETCH_TIMEOUTS names no setting/,
      env: { ORBWEAVER_FETCH_TIMEOUTS: '5' },
    },
    {
      args: ['crawl', 'https://example.com', '--ca', '/no/such/ca.pem'],
      says: /The certificate \/no\/such\/ca\.pem cannot be used/,
    },
    { args: ['crawl', 'https://example.com', '--max-pages', '-5'], says: /--max-pages needs a value/ },
    { args: ['crawl', 'https://example.com', '--log', '/no/such/x'], says: /Log file \/no\/such\/x cannot be opened/ },
    {
      args: ['crawl', 'https://example.com', '--dashboard', '--listen', 'foo'],
      says: /"foo" is no address to listen on/,
    },
    {
      args: ['crawl', 'https://example.com', '--dashboard', '--listen', '0.0.0.0:0'],
      says: /0\.0\.0\.0:0 can be reached by others/,
    },
    { args: ['status', 'elsewhere'], says: /takes nothing but options: "elsewhere" is too much.*--out/ },
    { args: ['show', 'https://example.com', 'elsewhere'], says: /takes fewer words: "elsewhere" is too much/ },
    { args: ['why'], says: /There is no crawl in / },
    { args: ['resume'], says: /There is no crawl in / },
    { args: ['status'], says: /There is no crawl in / },
    { args: ['search', 'words'], says: /There is no crawl in / },
    { args: ['export', '--format', 'xml'], says: /--format takes jsonl, csv, parquet, markdown, warc, not "xml"/ },
    { args: ['export', '--format', 'parquet', '--to', 's3://'], says: /"s3:\/\/" names no bucket/ },
    { args: ['export', '--format', 'warc', '--to', 's3://b/p'], says: /A bucket takes only parquet/ },
    {
      args: ['export', '--format', 'parquet', '--to', 'x', '--name', 'a/b'],
      says: /"a\/b" cannot be the id of a crawl/,
    },
    { args: ['show', 'https://example.com', '--as', 'picture'], says: /--as takes text, markdown/ },
    { args: ['dead', 'bury'], says: /`dead` takes list, show, retry, drop, not "bury"/ },
    { args: ['robots', 'https://example.com'], says: /Usage: orbweaver robots --file/ },
    { args: ['inspect', '/no/such/page.html'], says: /cannot be read/ },
  ]
  for (const { args, says, env } of cases)
    test(`${args.join(' ')}`, async () => {
      using scratch = scratchFolder()
      const out = join(scratch.path, 'crawl')
      const run = await orbweaver([...args, '--out', out], env ? { env } : {})
      assert.match(run.err, says)
      assert.equal(
        run.err
          .trimEnd()
          .split('\n')
          .filter((line) => !line.startsWith('Crawling ')).length,
        1,
        run.err,
      )
      assert.doesNotMatch(run.err, /\n\s+at /, 'no stack trace')
      assert.equal(run.code, 2)
      assert.equal(run.out, '')
      assert.equal(existsSync(out), false)
    })
})

test('a file where a folder is wanted is named as such', async () => {
  using scratch = scratchFolder()
  mkdirSync(scratch.path, { recursive: true })
  const file = join(scratch.path, 'file')
  writeFileSync(file, 'x')
  for (const args of [['crawl', 'https://example.com'], ['demo'], ['serve', '--listen', '127.0.0.1:0']]) {
    const { code, err } = await orbweaver([...args, '--out', file])
    assert.match(err, /^\S+ is a file\. Choose a folder by --out\.\n$/m)
    assert.equal(code, 2)
  }
  assert.equal(readFileSync(file, 'utf8'), 'x')
})

test('output that cannot be written is told in one sentence', { skip: !existsSync('/dev/full') }, async () => {
  const full = openSync('/dev/full', 'w')
  try {
    const { status, stderr } = spawnSync(process.execPath, [programPath, '--help'], { stdio: ['ignore', full, 'pipe'] })
    assert.match(String(stderr), /^Standard output cannot be written: ENOSPC[^\n]*\.\n$/)
    assert.equal(status, 1)
  } finally {
    closeSync(full)
  }
})

test('every fault of a configuration file is named at once', async () => {
  using scratch = scratchFolder()
  const file = join(scratch.path, 'orbweaver.yaml')
  writeFileSync(file, 'limits: { maxPages: -1 }\nfetch: { maxBodyByte: 5, http2: perhaps }\nfrontend: {}\n')
  const run = await orbweaver(['crawl', 'https://example.com', '--config', file, '--out', join(scratch.path, 'crawl')])
  assert.equal(run.code, 2)
  for (const name of ['limits.maxPages', 'fetch.maxBodyByte', 'fetch.http2', 'frontend'])
    assert.ok(run.err.includes(name), name)
})

test('a folder that holds a crawl, another version of one, or something else is left as it is', async () => {
  using scratch = scratchFolder()
  const folder = (name: string, contents: string) => {
    const path = join(scratch.path, name)
    mkdirSync(path)
    writeFileSync(join(path, 'crawl.json'), contents)
    return path
  }
  const existing = folder('existing', '{"format":2,"seeds":["https://example.com"],"config":{}}')
  const future = folder('future', '{"format":99,"seeds":["https://example.com"],"config":{}}')
  const torn = folder('torn', '{"format":2,"se')
  const foreign = join(scratch.path, 'foreign')
  mkdirSync(foreign)
  writeFileSync(join(foreign, 'thesis.txt'), 'mine')

  assert.match(
    (await orbweaver(['crawl', 'https://example.com', '--out', existing])).err,
    /holds a crawl already.*orbweaver resume/,
  )
  assert.match(
    (await orbweaver(['resume', '--out', future])).err,
    /has format 99; this version of Orbweaver reads format 5/,
  )
  assert.match((await orbweaver(['resume', '--out', torn])).err, /crawl\.json is damaged/)
  const run = await orbweaver(['crawl', 'https://example.com', '--out', foreign])
  assert.match(run.err, /is not empty and holds no crawl/)
  assert.equal(run.code, 2)
  assert.equal(readFileSync(join(foreign, 'thesis.txt'), 'utf8'), 'mine')
})
