import assert from 'node:assert/strict'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { figuresOf, type ModeResult, type Setting } from './figures.ts'
import type { GrowthResult } from './growth.ts'
import { thisMachine } from './machine.ts'
import { filled, merged, writeReport } from './report.ts'
import { runOf } from './runs.fixture.ts'

const setting: Setting = {
  ...{ hosts: 1, measuredAt: '2026-01-02T03:04:05Z', machine: thisMachine(false) },
  pageSource: 'invented',
  averages: { plainBytes: 1, gzipBytes: 1, links: 1 },
}
const round = (cpuMs: number) => ({ run: runOf({ cpuMs }), kept: { archiveBytes: 1, databaseBytes: 1 }, siteCpuMs: 1 })
const profiled = runOf({ us: { '/src/parse/a.ts': 900, '/src/index/b.ts': 100 } })

function modeResult(mode: string, cpuMs: number): ModeResult {
  return { mode, ...setting, ...figuresOf([round(cpuMs)], profiled) }
}

const growth: GrowthResult = {
  ...{ mode: 'growth', ...setting },
  steps: [1e4, 1e5].map((knownUrls) => ({ knownUrls, openCpuMs: 1, ...figuresOf([round(300)], profiled) })),
}

test('a section is written between its markers, and all words around stay', () => {
  const page = 'Before.\n<!-- bench:a -->\nold\n<!-- /bench:a -->\nAfter.\n'
  assert.equal(filled(page, { a: ['new'] }), 'Before.\n<!-- bench:a -->\nnew\n<!-- /bench:a -->\nAfter.\n')
})

test('a section whose markers are missing or torn changes nothing', () => {
  for (const page of ['', 'words', '<!-- bench:a -->', '<!-- /bench:a --> <!-- bench:a -->'])
    assert.equal(filled(page, { a: ['new'] }), page)
})

test('a mode that was measured again replaces its older result, in the order of the modes', () => {
  const results = merged([modeResult('https', 100), modeResult('one-host', 100)], [modeResult('https', 200)])
  assert.deepEqual(
    results.map((result) => [result.mode, (result as ModeResult).cpuMsPerPage]),
    [
      ['one-host', 1],
      ['https', 2],
    ],
  )
})

test('a report is a page with tables, pictures and results; redrawn, it is the same', () => {
  const scratch = mkdtempSync(join(tmpdir(), 'orbweaver-report-'))
  try {
    const page = join(scratch, 'performance.md')
    writeReport(page, [modeResult('one-host', 123), growth])
    const text = readFileSync(page, 'utf8')
    assert.match(text, /\| one-host \| 100 \| 100 \| 813 \| 1\.23 \|/)
    assert.match(text, /\| 100,000 \| 3\.00 \|/)
    assert.match(text, /!\[[^\]]+\]\(performance\/growth\.svg\)/)
    assert.doesNotMatch(text, /peers\.svg/)
    for (const name of ['results.json', 'stages.svg', 'growth.svg'])
      assert.ok(existsSync(join(scratch, 'performance', name)), name)
    assert.ok(!existsSync(join(scratch, 'performance/peers.svg')))
    writeReport(page, [])
    assert.equal(readFileSync(page, 'utf8'), text)
  } finally {
    rmSync(scratch, { recursive: true })
  }
})

test('peers that were measured beside it join the page; those that never saw the whole site do not', () => {
  const scratch = mkdtempSync(join(tmpdir(), 'orbweaver-report-'))
  try {
    const page = join(scratch, 'performance.md')
    writeReport(page, [modeResult('one-host', 100)])
    writeFileSync(page, '<!-- bench:peers -->\n<!-- /bench:peers -->\n')
    const peer = (name: string, cpuMs: number, missing: number) => ({
      peer: { name, does: 'links', doesNot: 'keep' },
      pages: 100,
      runs: [{ cpuMs, elapsedMs: 1000, peakRssBytes: 2 ** 20, counts: { pages: 100 - missing, missing } }],
    })
    const measured = [peer('Colly', 600, 0), peer('spider 2', 100, 0), peer('quitter', 1, 50)]
    writeFileSync(join(scratch, 'performance/peers.json'), JSON.stringify({ measured }))
    writeReport(page, [])
    const rows = readFileSync(page, 'utf8')
    assert.match(rows, /\| spider 2 \| 1\.00 \|[^\n]*\n\| Colly \| 6\.00 \| 6\.00–6\.00 \| 6\.00 \|/)
    assert.doesNotMatch(rows, /quitter/)
    assert.match(readFileSync(join(scratch, 'performance/peers.svg'), 'utf8'), /Colly/)
  } finally {
    rmSync(scratch, { recursive: true })
  }
})
