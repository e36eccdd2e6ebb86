import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Counts } from '../site/visits.ts'
import { figures, type Measured, median, type Run } from './figures.ts'
import { columns, faults, markdown, rows } from './report.ts'

const counts: Counts = {
  requests: 101,
  pages: 100,
  missing: 0,
  repeats: 0,
  robots: 1,
  others: {},
  otherRequests: 0,
  connections: 1,
  bytesSent: 1,
}

function run(round: number, cpuMs: number, changes: Partial<Counts> = {}): Run {
  const usage = { exitCode: 0, cpuMs, elapsedMs: cpuMs * 2, peakRssBytes: round * 2 ** 20, complaint: '' }
  return { round, ...usage, counts: { ...counts, ...changes } }
}

function measured(name: string, ...runs: readonly Run[]): Measured {
  return { peer: { name, setting: 'fast', does: 'links', doesNot: 'keeps nothing | at all' }, pages: 100, runs }
}

const cell = (row: readonly string[], column: (typeof columns)[number]) => row[columns.indexOf(column)]

test('a run that missed pages does not make its crawler look fast', () => {
  const half = run(2, 1, { pages: 50, missing: 50 })
  const all = measured('colly', run(1, 500), half)
  assert.deepEqual(figures(all)?.cpuMsPerPage, { median: 5, min: 5, max: 5 })
  assert.deepEqual(faults([all]), ['colly, round 2: 50 of 100 pages missing'])
  const [row] = rows([measured('colly', half)])
  assert.equal(cell(row!, 'CPU ms a page'), 'incomplete')
})

test('a run that had to be stopped does not count, even if it saw every page', () => {
  assert.equal(figures(measured('endless', { ...run(1, 500), exitCode: null })), undefined)
})

test('the table begins with the cheapest, tells its ratio to spider and ends with those that never finished', () => {
  const broken = measured('broken', run(1, 1, { pages: 0, missing: 100 }))
  const table = rows([broken, measured('spider', run(1, 200)), measured('us', run(1, 110), run(2, 90), run(3, 100))])
  assert.deepEqual(
    table.map((row) => [row[0], cell(row, 'CPU ms a page'), cell(row, 'min–max'), cell(row, '÷ spider')]),
    [
      ['us', '1.00', '0.90–1.10', '0.50'],
      ['spider', '2.00', '2.00–2.00', '1.00'],
      ['broken', 'incomplete', '-', '-'],
    ],
  )
})

test('without spider there are no ratios', () => {
  assert.equal(cell(rows([measured('us', run(1, 100))])[0]!, '÷ spider'), '-')
})

test('requests beyond one for each page are shown, from the least to the most', () => {
  const [row] = rows([measured('eager', run(1, 1), run(2, 1, { requests: 1250, repeats: 1149 }))])
  assert.equal(cell(row!, 'Requests'), '101–1,250')
  assert.equal(cell(row!, 'Repeats'), '0–1,149')
  assert.equal(cell(row!, 'Missing'), '0')
})

test('in Markdown every row has all columns, and who was not measured is named with the reason', () => {
  const text = markdown([measured('us', run(1, 100))], [{ name: 'colly', reason: 'go is not installed' }])
  const lines = text.split('\n').filter((line) => line.startsWith('|'))
  assert.equal(lines.length, 3)
  for (const line of lines) assert.equal(line.match(/(?<!\\)\|/g)?.length, columns.length + 1)
  assert.match(text, /Not measured: colly \(go is not installed\)\./)
})

test('the median of an even number of runs lies between the two in the middle', () => {
  assert.equal(median([4, 1, 3, 2]), 2.5)
  assert.equal(median([9, 1, 5]), 5)
})
