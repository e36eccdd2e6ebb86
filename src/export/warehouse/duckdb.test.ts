import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { recordOf, scanOf } from '../record.fixture.ts'
import { type Duck, openDuck } from './duckdb.fixture.ts'
import { exportWarehouse } from './export-warehouse.ts'
import { folderParts } from './folder-parts.ts'

const at = (day: number, hour = 12) => Date.UTC(2025, 0, day, hour)
const home = 'https://example.com/'
const about = 'https://example.com/about'
const other = 'http://shop.example.co.uk:8080/'

const pages = [
  recordOf(home, { links: [about, other], publishedAt: '2024-12-31T23:59:59.500Z', fetchedAt: at(31) }),
  recordOf(about, { links: [home], lang: '', keywords: [], noindex: true, fetchedAt: at(31, 23), title: 'é 世界 \0' }),
  recordOf(other, { links: [home], fetchedAt: at(30), warc: null, status: null }),
]

describe('DuckDB reads what was exported for a warehouse', () => {
  let folder: string
  let duck: Duck
  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'orbweaver-warehouse-'))
    for (const crawl of ['first', '2025']) {
      await using store = folderParts(folder, crawl)
      await exportWarehouse(scanOf(...pages), crawl, store)
    }
    duck = await openDuck()
    for (const statement of duckStatements().filter((sql) => sql.startsWith('CREATE'))) await duck.query(statement)
  })
  after(() => {
    duck[Symbol.dispose]()
    rmSync(folder, { recursive: true })
  })

  /** Those of the document, on our folder. */
  const duckStatements = () =>
    blocks('DuckDB')
      .join('\n')
      .replaceAll('warehouse/', `${folder}/`)
      .split(';')
      .map((sql) => sql.trim())
      .filter(Boolean)

  it('by the statements of the document', async () => {
    const answers = []
    for (const sql of duckStatements().filter((sql) => sql.startsWith('SELECT'))) answers.push(await duck.query(sql))
    const [linked, languages] = answers
    assert.deepEqual(
      linked?.map(({ crawl, url, domains, links }) => [crawl, url, Number(domains), Number(links)]),
      ['2025', 'first'].flatMap((crawl) => [
        [crawl, home, 2, 2],
        [crawl, other, 1, 1],
        [crawl, about, 1, 1],
      ]),
    )
    assert.deepEqual(
      languages?.map(({ date, lang, pages }) => [date, lang, Number(pages)]),
      [
        ['2025-01-30', 'en', 2],
        ['2025-01-31', 'en', 2],
        ['2025-01-31', null, 2],
      ],
    )
  })

  it('with the types of the document, in its order', async () => {
    for (const table of ['pages', 'links']) {
      const described = await duck.query(`DESCRIBE ${table}`)
      assert.deepEqual(
        described.map(({ column_name, column_type }) => [column_name, column_type]),
        [...documented(table, 'DuckDB'), ['crawl', 'VARCHAR'], ['date', 'DATE']],
      )
    }
  })

  it('with crawl and date from the folders', async () => {
    const rows = await duck.query(
      'SELECT crawl, date, count(*)::INT AS n FROM pages GROUP BY ALL ORDER BY crawl DESC, date',
    )
    assert.deepEqual(
      rows.map(({ crawl, date, n }) => [crawl, date, n]),
      ['first', '2025'].flatMap((crawl) => [
        [crawl, '2025-01-30', 1],
        [crawl, '2025-01-31', 2],
      ]),
    )
  })

  it('with every value', async () => {
    const [first] = await duck.query(`SELECT * EXCLUDE (crawl) FROM pages WHERE crawl = 'first' AND url = '${home}'`)
    assert.deepEqual(first, {
      ...{ url: home, host: 'example.com', domain: 'example.com', kind: 'page', status: 200 },
      ...{ fetched_at: '2025-01-31 12:00:00', final_url: home, content_type: 'text/html', title: 'A title' },
      ...{ description: null, keywords: ['one', 'two'], lang: 'en', canonical: null },
      ...{ published_at: '2024-12-31 23:59:59.5', text: 'The text.', noindex: false },
      ...{ content_hash: 'ab'.repeat(32), simhash: '0123456789abcdef', duplicate_of: null, near_duplicate_of: null },
      ...{ depth: 1, parent: null, link_count: 2 },
      ...{ warc_file: '2025-01-31/x.warc.gz', warc_offset: String(2 ** 33), warc_length: '456', date: '2025-01-31' },
    })
    const [second] = await duck.query(`SELECT * FROM pages WHERE crawl = 'first' AND url = '${about}'`)
    assert.deepEqual([second?.keywords, second?.text, second?.lang], [[], null, null])
    assert.equal(second?.title, 'é 世界 \0')
    const [third] = await duck.query(`SELECT * FROM pages WHERE crawl = 'first' AND url = '${other}'`)
    assert.deepEqual([third?.host, third?.domain], ['shop.example.co.uk:8080', 'example.co.uk'])
    assert.deepEqual([third?.warc_file, third?.warc_offset, third?.status], [null, null, null])
  })

  it('with a row for each link', async () => {
    const rows = await duck.query(
      `SELECT * FROM links WHERE crawl = 'first' AND source_url = '${home}' ORDER BY position`,
    )
    assert.deepEqual(
      rows.map((row) => [row.position, row.target_url, row.target_host, row.target_domain, row.fetched_at]),
      [
        [0, about, 'example.com', 'example.com', '2025-01-31 12:00:00'],
        [1, other, 'shop.example.co.uk:8080', 'example.co.uk', '2025-01-31 12:00:00'],
      ],
    )
    const [counts] = await duck.query(
      'SELECT (SELECT sum(link_count) FROM pages) = (SELECT count(*) FROM links) AS equal',
    )
    assert.equal(counts?.equal, true)
  })
})

describe('the document on warehouses', () => {
  it('declares to Athena the columns that the files have', () => {
    for (const table of ['pages', 'links']) {
      const statement = blocks('Athena').find((sql) => sql.startsWith(`CREATE EXTERNAL TABLE ${table} (`))
      const declared = [...(statement ?? '').matchAll(/^ {2}`?(\w+)`? ([\w<>]+)/gm)].map(([, name, type]) => [
        name,
        type,
      ])
      assert.deepEqual(declared, documented(table, 'Athena'))
    }
  })
})

const document = readFileSync(new URL('../../../docs/warehouse.md', import.meta.url), 'utf8')

function section(title: string): string {
  const [, text = ''] = document.split(new RegExp(`^#+ ${title}$`, 'm'))
  return text.split(/^#+ /m)[0]!
}

function blocks(title: string): string[] {
  return [...section(title).matchAll(/^```sql\n([\s\S]*?)^```$/gm)].map(([, sql]) => sql!)
}

const cellsOf = (line: string) => line.split('|').map((cell) => cell.trim().replaceAll(/[`\\]/g, ''))

/** Columns with their types in the words of an engine, by the tables of the document. */
function documented(table: string, engine: string): [string, string][] {
  const types = section('Schema')
    .split('\n')
    .filter((line) => line.startsWith('|'))
    .map(cellsOf)
  const inWords = types[0]!.indexOf(engine)
  const typeOf = new Map(types.map((cells) => [cells[1], cells[inWords]!]))
  return section(table)
    .split('\n')
    .filter((line) => line.startsWith('| `'))
    .map(cellsOf)
    .map(([, name, type]) => [name!, typeOf.get(type)!])
}
