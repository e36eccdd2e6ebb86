import assert from 'node:assert/strict'
import { describe, type TestContext, test } from 'node:test'
import fc from 'fast-check'
import type { CanonicalUrl } from '../url/keys.ts'
import type { SearchDocument, SearchIndex } from './search-index.ts'

/** Answers the text of the pages that a test has put. */
export type TestTexts = (url: CanonicalUrl) => Promise<{ text: string; description: string } | undefined>

/** Makes an empty place for one test; the answer opens the index there, as often as asked. */
export type SearchIndexPlace = (test: TestContext, textOf: TestTexts) => () => Promise<IndexUnderTest>

export interface IndexUnderTest extends SearchIndex {
  /** Waits until what was put can be searched, where an engine does not answer it at once. */
  settled?(): Promise<void>
}

/** What every search index promises: straight, and with it closed and opened again between act and check. */
export function searchIndexConformance(name: string, place: SearchIndexPlace, skip: string | false = false): void {
  for (const reopen of [false, true])
    describe(`${name}: search index${reopen ? ', closed and opened again' : ''}`, { skip }, () => suite(place, reopen))
}

function suite(place: SearchIndexPlace, reopen: boolean): void {
  async function holding(t: TestContext, documents: readonly SearchDocument[], removed: readonly CanonicalUrl[] = []) {
    const open = place(t, async (url) => documents.findLast((document) => document.url === url))
    const index = await open()
    for (const document of documents) await index.put(document)
    for (const url of removed) await index.remove(url)
    if (reopen) await index[Symbol.asyncDispose]()
    const used = reopen ? await open() : index
    await used.settled?.()
    return used
  }

  async function found(index: SearchIndex, query: string): Promise<string[]> {
    return (await index.search(query, 100)).map(({ url }) => new URL(url).pathname.slice(1))
  }

  test('a page is found by words of its title, description and text, all of which must be there', async (t) => {
    const index = await holding(t, [
      page('a', { title: 'Garden spiders', description: 'Orb weavers', text: 'They spin webs.' }),
      page('b', { title: 'Garden tools', text: 'They cut.' }),
    ])
    assert.deepEqual(await found(index, 'garden orb spin'), ['a'])
    assert.deepEqual(await found(index, 'cut'), ['b'])
    assert.deepEqual(await found(index, 'garden absent'), [])
  })

  test('a word in the title ranks above the same word in the description, and that above the text', async (t) => {
    const index = await holding(t, [
      page('text', { title: 'one two', description: 'three four', text: 'about silk here' }),
      page('description', { title: 'one two', description: 'silk four', text: 'about nothing here' }),
      page('title', { title: 'silk two', description: 'three four', text: 'about nothing here' }),
    ])
    assert.deepEqual(await found(index, 'silk'), ['title', 'description', 'text'])
    const scores = (await index.search('silk', 10)).map(({ score }) => score)
    assert.deepEqual(
      scores,
      scores.toSorted((a, b) => b - a),
    )
  })

  test('a hit brings URL, title and an excerpt with its matches marked', async (t) => {
    const index = await holding(t, [page('a', { title: 'Spiders & Co', text: 'Some spiders spin orb webs.' })])
    const [hit] = await index.search('Webs', 10)
    assert.equal(hit?.url, 'https://site.test/a')
    assert.equal(hit.title, 'Spiders & Co')
    assert.equal(hit.excerpt, 'Some spiders spin orb \u0002webs\u0003.')
  })

  test('a page put again is found by its new words only', async (t) => {
    const index = await holding(t, [page('a', { text: 'old words' }), page('a', { text: 'new words' })])
    assert.deepEqual(await found(index, 'old'), [])
    assert.deepEqual(await found(index, 'new'), ['a'])
    assert.deepEqual(await found(index, 'words'), ['a'])
  })

  test('a removed page is not found; removing what is not there changes nothing', async (t) => {
    const documents = [page('a', { text: 'shared' }), page('b', { text: 'shared' })]
    const index = await holding(t, documents, [urlOf('a'), urlOf('c')])
    assert.deepEqual(await found(index, 'shared'), ['b'])
    await index.put(documents[0]!)
    await index.settled?.()
    assert.deepEqual((await found(index, 'shared')).toSorted(), ['a', 'b'])
  })

  test('a phrase is found only where its words stand in a row', async (t) => {
    const index = await holding(t, [page('a', { text: 'the black widow' }), page('b', { text: 'widow in black' })])
    assert.deepEqual(await found(index, '"black widow"'), ['a'])
    assert.deepEqual((await found(index, 'black widow')).toSorted(), ['a', 'b'])
    assert.deepEqual(await found(index, 'black-widow'), ['a'])
  })

  test('pages with a word that was ruled out are left out, also when nothing else was asked for', async (t) => {
    const index = await holding(t, [page('a', { text: 'silk and web' }), page('b', { text: 'silk and worm' })])
    assert.deepEqual(await found(index, 'silk -worm'), ['a'])
    assert.deepEqual(await found(index, 'silk -"and worm"'), ['a'])
    assert.deepEqual(await found(index, '-worm'), ['a'])
  })

  test('a word with * finds all that begin with it', async (t) => {
    const texts = { a: 'crawling along the whole wall', b: 'scrawl', c: 'crawl' }
    const index = await holding(
      t,
      Object.entries(texts).map(([path, text]) => page(path, { text })),
    )
    assert.deepEqual((await found(index, 'crawl*')).sort(), ['a', 'c'])
    assert.deepEqual(await found(index, 'crawl'), ['c'])
  })

  test('words that find nothing as they stand are taken as beginnings, and only then', async (t) => {
    const index = await holding(t, [
      page('a', { text: 'A register of lighthouses and their keepers' }),
      page('b', { text: 'One lamp, many lamps' }),
      page('c', { text: 'The lampshade' }),
    ])
    assert.deepEqual(await found(index, 'lighthouse keeper'), ['a'])
    assert.deepEqual(await found(index, 'lamp'), ['b'])
    assert.deepEqual(await found(index, '"lighthouse keeper"'), [])
    const [hit] = await index.search('lighthouse', 10)
    assert.match(hit!.excerpt, /\u0002lighthouses\u0003/)
  })

  test('title: asks for a word or phrase of the title', async (t) => {
    const index = await holding(t, [
      page('a', { title: 'Orb weaver', text: 'spider' }),
      page('b', { title: 'Spider', text: 'orb weaver' }),
    ])
    assert.deepEqual(await found(index, 'title:orb'), ['a'])
    assert.deepEqual(await found(index, 'title:"orb weaver" spider'), ['a'])
    assert.deepEqual(await found(index, 'orb -title:orb'), ['b'])
  })

  test('a word that is asked for and left out at once finds nothing, not longer ones', async (t) => {
    const index = await holding(t, [page('a', { text: 'the keepers' }), page('b', { text: 'a keeper' })])
    assert.deepEqual(await found(index, 'keeper -keeper'), [])
    assert.deepEqual(await found(index, 'keepe -keeper'), ['a'])
  })

  test('site: finds a host with its subdomains and nothing that only looks like it', async (t) => {
    const hosts = ['example.com', 'www.example.com', 'a.b.example.com:8080', 'example.com.evil.test', 'notexample.com']
    const index = await holding(
      t,
      hosts.map((host, i) => page(String(i), { host, text: 'word' })),
    )
    assert.deepEqual((await found(index, 'word site:example.com')).toSorted(), ['0', '1', '2'])
    assert.deepEqual(await found(index, 'word site:https://WWW.example.com/path'), ['1'])
    assert.deepEqual((await found(index, 'word -site:example.com')).toSorted(), ['3', '4'])
    assert.deepEqual((await found(index, 'word site:www.example.com site:notexample.com')).toSorted(), ['1', '4'])
  })

  test('lang:, after: and before: narrow the answer', async (t) => {
    const index = await holding(t, [
      page('en', { lang: 'en', date: Date.parse('2023-12-31T23:59:59Z'), text: 'word' }),
      page('de', { lang: 'de', date: Date.parse('2024-01-01'), text: 'word' }),
      page('gb', { lang: 'en-GB', date: Date.parse('2024-06-15'), text: 'word' }),
    ])
    assert.deepEqual((await found(index, 'word lang:EN')).toSorted(), ['en', 'gb'])
    assert.deepEqual(await found(index, 'word -lang:en'), ['de'])
    assert.deepEqual((await found(index, 'word after:2024')).toSorted(), ['de', 'gb'])
    assert.deepEqual(await found(index, 'word before:2024-01-01'), ['en'])
    assert.deepEqual(await found(index, 'word after:2024-01 before:2024-02'), ['de'])
  })

  test('filters without words list the newest first', async (t) => {
    const index = await holding(t, [page('old', { date: 1 }), page('new', { date: 3 }), page('mid', { date: 2 })])
    assert.deepEqual(await found(index, 'site:site.test'), ['new', 'mid', 'old'])
  })

  test('case and accents make no difference', async (t) => {
    const index = await holding(t, [page('a', { text: 'Ein Café in MÜNCHEN, cafe\u0301 Ångström' })])
    for (const query of ['cafe', 'CAFÉ', 'münchen', 'munchen', 'angstrom', 'Ａｎｇｓｔｒｏｍ'])
      assert.deepEqual(await found(index, query), ['a'], query)
  })

  test('words of other alphabets are found as they are written, and without their marks', async (t) => {
    const index = await holding(t, [page('a', { text: 'Жёлтый чай, Ελλάδα, Ελλάδας' })])
    for (const query of ['жёлтый', 'желтыи', 'чай', 'ελλάδα', 'ελλαδα', 'ΕΛΛΑΔΑΣ', 'ελλάδασ'])
      assert.deepEqual(await found(index, query), ['a'], query)
  })

  test('words end at punctuation of any kind', async (t) => {
    const index = await holding(t, [page('a', { text: '“Silk”—web…spun\u00a0here·and«there»' })])
    for (const query of ['silk', 'web', 'spun', 'here', 'and', 'there', '"silk web"'])
      assert.deepEqual(await found(index, query), ['a'], query)
  })

  test('scripts without spaces are searched by any part of a run', async (t) => {
    const index = await holding(t, [
      page('ja', { text: '東京都庁の展望室とPython入門' }),
      page('zh', { text: '北京是中国的首都' }),
      page('ko', { text: '대한민국의 수도는 서울이다' }),
      page('th', { text: 'กรุงเทพมหานครเป็นเมืองหลวง' }),
    ])
    for (const [query, name] of [
      ['京都', 'ja'],
      ['展望室', 'ja'],
      ['python', 'ja'],
      ['Python入門', 'ja'],
      ['首都', 'zh'],
      ['都', 'ja zh'],
      ['中国', 'zh'],
      ['수도', 'ko'],
      ['서울', 'ko'],
      ['มหานคร', 'th'],
      ['東都', ''],
      ['国中', ''],
    ] as const)
      assert.deepEqual((await found(index, query)).toSorted(), name === '' ? [] : name.split(' '), query)
  })

  test('a phrase goes across the gap between two runs of such a script', async (t) => {
    const index = await holding(t, [page('a', { text: '東京 タワー案内' }), page('b', { text: 'タワー 東京' })])
    assert.deepEqual(await found(index, '"東京 タワー"'), ['a'])
  })

  test('words of Hindi keep their vowels', async (t) => {
    const index = await holding(t, [page('a', { text: 'हिन्दी भाषा' })])
    assert.deepEqual(await found(index, 'हिन्दी'), ['a'])
    assert.deepEqual(await found(index, 'हन्द'), [])
  })

  test('limit and offset turn the pages of an answer', async (t) => {
    const index = await holding(
      t,
      Array.from({ length: 5 }, (_, i) => page(String(i), { date: i, text: 'word' })),
    )
    const pages = [await index.search('site:test', 2), await index.search('site:test', 2, 2)]
    assert.deepEqual(
      pages.map((hits) => hits.map(({ url }) => url.slice(-1))),
      [
        ['4', '3'],
        ['2', '1'],
      ],
    )
    for (const limit of [0, -1, Number.NaN]) assert.deepEqual(await index.search('word', limit), [])
  })

  test('a query that asks for nothing finds nothing', async (t) => {
    const index = await holding(t, [page('a', { text: 'word' })])
    for (const query of ['', '   ', '!!!', '"', '""', '*', '-', '--', '-""', '\0'])
      assert.deepEqual(await found(index, query), [])
  })

  test('no query throws, whatever a person may type', async (t) => {
    const index = await holding(t, [page('a', { title: 'AND OR NOT', text: 'NEAR word "quoted" 東京' })])
    const piece = fc.constantFrom(
      ...[
        '"',
        '*',
        '-',
        '(',
        ')',
        '{',
        '}',
        ':',
        '^',
        '+',
        ',',
        '\\',
        "'",
        ';',
        '--',
        '\0',
        '\ud800',
        '\u0301',
        ' ',
        '%',
      ],
      ...[
        'AND',
        'OR',
        'NOT',
        'NEAR',
        'NEAR(a b, 2)',
        'title',
        'title:',
        'text:',
        'site:',
        'lang:',
        'after:',
        'before:',
      ],
      ...['word', '東', '東京', '2024-99', '0'.repeat(50), 'rowid', '𠮷野家', '{title text}:', '- {a}'],
    )
    const hostile = fc.oneof(
      fc.array(piece, { maxLength: 12 }).map((pieces) => pieces.join('')),
      fc.string({ unit: 'binary', maxLength: 40 }),
    )
    await fc.assert(
      fc.asyncProperty(hostile, async (query) => {
        await index.search(query, 5)
      }),
      { numRuns: 500 },
    )
    await index.search('word '.repeat(100_000), 5)
    await index.search('('.repeat(100_000), 5)
  })
}

function urlOf(name: string): CanonicalUrl {
  return `https://site.test/${name}` as CanonicalUrl
}

function page(name: string, changes: Partial<SearchDocument> = {}): SearchDocument {
  return {
    url: urlOf(name),
    host: 'site.test',
    title: '',
    description: '',
    text: '',
    lang: 'en',
    date: 0,
    ...changes,
  }
}
