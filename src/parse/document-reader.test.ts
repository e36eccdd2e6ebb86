import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { parseConfig } from './config.ts'
import { DocumentReader } from './document-reader.ts'
import { docx, pdf, zipOf } from './documents.fixture.ts'
import { sniffKind } from './kind.ts'

const reader = new DocumentReader(parseConfig.parse({}))
after(() => reader[Symbol.asyncDispose]())

async function textOf(file: Buffer, contentType = 'application/octet-stream', from = reader) {
  const kind = sniffKind(file, contentType)
  assert.ok(kind === 'pdf' || kind === 'office', kind)
  return from.read(kind, file)
}

describe('documents', () => {
  test('PDF: the text of its pages, and its title', async () => {
    assert.deepEqual(await textOf(pdf(['Of lighthouses', 'and ships'], 'Logbook')), {
      title: 'Logbook',
      text: 'Of lighthouses\nand ships',
      isCut: false,
    })
  })

  test('Word: paragraphs, and the title of its properties', async () => {
    assert.deepEqual(await textOf(docx('Storms &amp; nights', 'Keeper')), {
      title: 'Keeper',
      text: 'Storms & nights\nSecond line',
      isCut: false,
    })
  })

  test('slides in their order, sheets by their strings, OpenDocument by its paragraphs', async () => {
    const slide = (text: string) => `<p:sld><a:p><a:r><a:t>${text}</a:t></a:r></a:p></p:sld>`
    const slides = { 'ppt/slides/slide10.xml': slide('ten'), 'ppt/slides/slide2.xml': slide('two') }
    const office = 'application/vnd.openxmlformats-officedocument.presentationml.presentation'
    assert.equal(Reflect.get(await textOf(zipOf(slides), office), 'text'), 'two\nten')
    const sheet = {
      '[Content_Types].xml': '',
      'xl/sharedStrings.xml': '<sst><si><t>Ship</t></si><si><t>Tons</t></si></sst>',
    }
    assert.equal(Reflect.get(await textOf(zipOf(sheet)), 'text'), 'Ship\nTons')
    const odt = {
      'content.xml': '<o:text><text:h>Head</text:h><text:p>One <text:span>two</text:span></text:p></o:text>',
    }
    assert.equal(
      Reflect.get(await textOf(zipOf(odt), 'application/vnd.oasis.opendocument.text'), 'text'),
      'Head\nOne two',
    )
  })

  test('no more text and pages than the limits allow', async () => {
    await using strict = new DocumentReader(parseConfig.parse({ maxDocumentPages: 2, maxTextBytes: 100 }))
    const long = await textOf(pdf(['one', 'two', 'three']), '', strict)
    assert.deepEqual([Reflect.get(long, 'text'), Reflect.get(long, 'isCut')], ['one\ntwo', true])
    const wide = await textOf(docx('x'.repeat(500)), '', strict)
    assert.deepEqual([Reflect.get(wide, 'text').length, Reflect.get(wide, 'isCut')], [100, true])
  })

  test('broken files are answered with their fault, and the next one is read', async () => {
    const broken = [
      pdf(['half']).subarray(0, 60),
      Buffer.from('%PDF-1.7 and nothing else'),
      docx('half').subarray(0, 100),
      zipOf({ '[Content_Types].xml': '', 'other.xml': 'x' }),
      zipOf({ '[Content_Types].xml': '', 'word/document.xml': Buffer.alloc(100 * 2 ** 20) }),
    ]
    for (const file of broken) {
      const answer = await textOf(file)
      assert.ok('fault' in answer || answer.text === '', JSON.stringify(answer))
    }
    assert.equal(Reflect.get(await textOf(docx('Sound')), 'text'), 'Sound\nSecond line')
  })

  test('a file that takes too long, or too much memory, costs its limit', async () => {
    await using hasty = new DocumentReader(parseConfig.parse({ maxDocumentMs: 1 }))
    const late = await textOf(pdf(Array.from({ length: 500 }, (_, i) => `page ${i}`)), '', hasty)
    assert.match(Reflect.get(late, 'fault'), /not read within 1 ms/)
    await using small = new DocumentReader(parseConfig.parse({ maxDocumentMemoryMb: 64, maxTextBytes: 2 ** 30 }))
    const bomb = zipOf({
      '[Content_Types].xml': '',
      ...Object.fromEntries(
        Array.from({ length: 40 }, (_, i) => [`ppt/slides/slide${i}.xml`, `<a:t>${`${i}x é `.repeat(2 ** 20)}</a:t>`]),
      ),
    })
    const fat = await textOf(bomb, '', small)
    assert.match(String(Reflect.get(fat, 'fault')), /memory|heap/i)
    assert.equal(Reflect.get(await textOf(docx('Still here'), '', small), 'text'), 'Still here\nSecond line')
  })
})
