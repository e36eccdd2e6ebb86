import assert from 'node:assert/strict'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import type { Given } from '../../src/cli/command.ts'
import { bench } from '../../src/cli/commands/bench.ts'
import { orbweaver, start } from './orbweaver.ts'

describe('orbweaver bench', () => {
  test('crawls a site with exact counts and tells what it cost, for machines', async () => {
    const { code, json, err } = await orbweaver(['bench', '--smoke', '--pages', '40', '--json'])
    assert.equal(code, 0, err)
    const [result] = json() as Record<string, number & Record<string, unknown>[]>[]
    assert.equal(result!.mode, 'one-host')
    assert.equal(result!.pages, 40)
    assert.equal(result!.requests, 41)
    assert.deepEqual(result!.faults, [])
    for (const name of ['cpuMsPerPage', 'pagesPerSecond', 'pagesPerCpuSecond', 'peakRssBytes', 'archiveBytesPerPage'])
      assert.ok(result![name]! > 0, name)
    const stages = result!.stages!.map(({ stage }) => stage)
    for (const stage of ['parse', 'inflate', 'frontier', 'index', 'archive', 'network'])
      assert.ok(stages.includes(stage), stage)
  })

  test('measures many hosts, HTTPS and growth too, as tables for people', async () => {
    const modes = ['500-hosts', 'https', 'growth']
    const { code, out, err } = await orbweaver([
      'bench',
      ...modes,
      '--smoke',
      '--no-stages',
      '--pages',
      '40',
      '--max-urls',
      '400',
    ])
    assert.equal(code, 0, err)
    assert.match(out, /^500-hosts +40 /m)
    assert.match(out, /^https +40 /m)
    assert.match(out, /^400 +\d+\.\d\d /m)
    assert.match(err, /growth: feeding 400 URLs/)
  })

  test('a crawl that loses pages fails the bench by name, whatever its speed', async () => {
    // The environment reaches the crawl as it does any other.
    const env = { ORBWEAVER_LIMITS_MAX_PAGES: '10' }
    const { code, err } = await orbweaver(['bench', '--smoke', '--pages', '40', '--no-stages'], { env })
    assert.equal(code, 1)
    assert.match(err, /^Wrong: one-host: 10 pages in the crawl, expected 40\.$/m)
    assert.match(err, /^Wrong: one-host: 10 pages asked of the site, expected 40\.$/m)
  })

  test('wrong use is answered in one sentence, before anything starts', async () => {
    const { code, err, out } = await orbweaver(['bench', 'one-hots'])
    assert.equal(code, 2)
    assert.match(err, /^There is no mode "one-hots"\. Did you mean one-host\? [^\n]*\n$/)
    assert.equal(out, '')
    const cases: readonly (readonly [args: readonly string[], given: Given, sentence: RegExp])[] = [
      [[], { pages: 'many' }, /^--pages takes a number/],
      [[], { rounds: '0' }, /^--rounds takes a number above 0/],
      [['500-hosts'], { pages: '3' }, /^500-hosts has 500 hosts with a page each/],
      [['growth'], { pages: '6000' }, /^growth crawls at most 5000 pages/],
      [[], { corpus: '/nowhere/at/all' }, /^--corpus: there is no folder/],
      [[], { report: 'x.svg' }, /^--report takes the name of a \.md file/],
      [[], { redraw: true }, /^--redraw needs --report/],
      [[], { smoke: true, report: 'x.md' }, /^--smoke gives no figures worth a report/],
      [[], { 'max-urls': '10k' }, /^--max-urls is for the mode growth/],
    ]
    for (const [args, given, message] of cases) {
      const silent = { print: assert.fail, note: assert.fail, isInteractive: false, columns: 80 }
      const invocation = { args, given, json: false, out: '', stdin: process.stdin, terminal: silent }
      await assert.rejects(bench.run(invocation), { name: 'UsageError', message })
    }
  })

  test('Ctrl-C ends crawl and site, and leaves nothing behind', async () => {
    const temporary = mkdtempSync(join(tmpdir(), 'orbweaver-stopped-'))
    try {
      const { process: child, ended } = start(['bench', '--pages', '2000', '--json'], { env: { TMPDIR: temporary } })
      let isAsked = false
      child.stderr!.on('data', (text: Buffer) => {
        if (isAsked || !text.includes('round 1')) return
        isAsked = true
        child.kill('SIGINT')
      })
      const { code, out, err } = await ended
      assert.equal(code, 1)
      assert.match(err, /Stopped\.\n$/)
      assert.equal(out, '')
      const ours = readdirSync(temporary).filter((name) => name.startsWith('orbweaver-'))
      assert.deepEqual(ours, [])
    } finally {
      rmSync(temporary, { recursive: true })
    }
  })
})
