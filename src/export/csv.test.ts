import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { csvChunks, DEFAULT_CSV_COLUMNS } from './csv.ts'
import { recordOf, scanOf, textOf } from './record.fixture.ts'

describe('export as CSV', () => {
  it('has a head line and one line a page, without texts and links', async () => {
    const [head, line] = (await textOf(csvChunks(scanOf(recordOf('https://example.com/'))))).split('\r\n')
    assert.equal(head, DEFAULT_CSV_COLUMNS.join(','))
    assert.ok(!head?.includes('text') && !head?.includes('links'))
    assert.match(line ?? '', /^https:\/\/example\.com\/,https:\/\/example\.com\/,200,text\/html,A title,,one; two,en,/)
  })

  it('has the columns that are asked for', async () => {
    const text = await textOf(
      csvChunks(scanOf(recordOf('https://e.com/', { parent: null })), ['text', 'links', 'parent']),
    )
    assert.equal(text, 'text,links,parent\r\nThe text.,https://example.com/x https://example.com/y,\r\n')
  })

  it('quotes by RFC 4180', async () => {
    const title = 'a "b", c\r\nd'
    assert.equal(
      await textOf(csvChunks(scanOf(recordOf('https://e.com/', { title })), ['title'])),
      'title\r\n"a ""b"", c\r\nd"\r\n',
    )
  })

  it('makes no formula of what a page says', async () => {
    for (const title of [
      '=1+1',
      '+1',
      '-1',
      '@SUM(A1)',
      '\tx',
      '\r=1',
      '\n=1',
      '＝1',
      '=HYPERLINK("http://evil/","x")',
    ]) {
      const [, cell = ''] = (await textOf(csvChunks(scanOf(recordOf('https://e.com/', { title })), ['title']))).split(
        'title\r\n',
      )
      assert.match(cell, /^"?'/, title)
    }
  })
})
