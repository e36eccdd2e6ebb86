import assert from 'node:assert/strict'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { gunzipSync } from 'node:zlib'
import fc from 'fast-check'
import { type DefaultTreeAdapterTypes, html, parse } from 'parse5'
import { toUtf8 } from './charset.ts'
import { parseConfig } from './config.ts'
import { parsePage } from './parse-page.ts'
import { BLOCK, SPACE, tagFlags, tagId } from './tags.ts'

/** The fast pass against the tree of the HTML standard, as parse5 builds it. Where they must differ, a test says how. */

type Node = DefaultTreeAdapterTypes.ChildNode
type Element = DefaultTreeAdapterTypes.Element

const PAGE = 'https://example.com/dir/page'
const config = parseConfig.parse({})

interface Reading {
  readonly links: readonly string[]
  readonly words: readonly string[]
  readonly title: string
}

function ours(source: string | Buffer): Reading {
  const page = parsePage(Buffer.from(source), { url: PAGE, contentType: 'text/html', config })
  return { links: [...new Set(page.links.map((link) => link.url))], words: wordsOf(page.text), title: page.title }
}

function oracle(source: string): Reading {
  const elements: Element[] = []
  let text = ''
  const walk = (node: Node, hidden: boolean) => {
    if (node.nodeName === '#text' && !hidden) text += (node as DefaultTreeAdapterTypes.TextNode).value
    if (!('tagName' in node)) return
    elements.push(node)
    const flags = tagFlags[tagId(node.tagName)]!
    const breaks = (flags & (BLOCK | SPACE)) !== 0 ? '\n' : ''
    text += breaks
    for (const child of node.childNodes) walk(child, hidden || isHidden(node))
    text += breaks
  }
  for (const child of parse(source, { scriptingEnabled: false }).childNodes) walk(child, false)
  const title = elements.find((element) => element.tagName === 'title' && element.namespaceURI === html.NS.HTML)
  const titleText = title?.childNodes.map((node) => ('value' in node ? node.value : '')).join('') ?? ''
  return { links: linksOf(elements), words: wordsOf(text), title: titleText.replace(/\s+/g, ' ').trim() }
}

function isHidden(element: Element): boolean {
  const isHtml = element.namespaceURI === html.NS.HTML
  const unseen = isHtml
    ? ['script', 'style', 'noscript', 'template', 'title', 'iframe', 'noembed', 'noframes']
    : ['title', 'desc', 'metadata', 'style', 'script', 'annotation', 'annotation-xml']
  if (unseen.includes(element.tagName)) return true
  return isHtml && attribute(element, 'hidden') !== undefined && attribute(element, 'hidden') !== 'until-found'
}

function linksOf(elements: readonly Element[]): string[] {
  const base = elements.find((element) => element.tagName === 'base' && attribute(element, 'href') !== undefined)
  const baseUrl = (base && webUrl(attribute(base, 'href')!, PAGE)) ?? PAGE
  const links = new Set<string>()
  for (const element of elements) {
    const reference = referenceOf(element)
    const url = reference === undefined ? undefined : webUrl(reference, baseUrl)
    if (url !== undefined) links.add(url)
  }
  return [...links]
}

function referenceOf(element: Element): string | undefined {
  const rel = attribute(element, 'rel')?.toLowerCase().trim().split(/\s+/) ?? []
  if (['iframe', 'frame'].includes(element.tagName)) return attribute(element, 'src')
  if (['a', 'area'].includes(element.tagName)) return rel.includes('nofollow') ? undefined : attribute(element, 'href')
  if (element.tagName !== 'link' || rel.includes('canonical') || rel.includes('stylesheet')) return undefined
  if (/oembed|^application\/json/.test(attribute(element, 'type') ?? '')) return undefined
  return rel.some((word) => ['next', 'prev', 'alternate'].includes(word)) ? attribute(element, 'href') : undefined
}

function attribute(element: Element, name: string): string | undefined {
  return element.attrs.find((attr) => attr.name === name && !attr.prefix)?.value
}

function webUrl(reference: string, base: string): string | undefined {
  const url = URL.parse(reference, base)
  return url && /^https?:$/.test(url.protocol) && url.href.length <= config.maxUrlChars ? url.href : undefined
}

function wordsOf(text: string): string[] {
  return text
    .replace(/[\u0000-\u0020\u007f\u00a0]+/g, ' ')
    .trim()
    .split(/\s+/)
    .filter((word) => word !== '')
}

interface Agreement {
  found: number
  expected: number
  common: number
}

function compare(total: Agreement, found: readonly string[], expected: readonly string[]): void {
  const left = new Map<string, number>()
  for (const item of expected) left.set(item, (left.get(item) ?? 0) + 1)
  for (const item of found) {
    const count = left.get(item) ?? 0
    if (count > 0) total.common++
    left.set(item, count - 1)
  }
  total.found += found.length
  total.expected += expected.length
}

const none = (): Agreement => ({ found: 0, expected: 0, common: 0 })
const recall = (total: Agreement) => total.common / Math.max(1, total.expected)
const precision = (total: Agreement) => total.common / Math.max(1, total.found)

const NASTY = [
  '<a href=/1>one</a><a href="/2">two</a><a href=\'/3\'>three</a><A HREF=/4>four</A>',
  '<a href=/1 href=/2>the first of two counts</a>',
  '<a =x href=/1>a name that begins with an equals sign</a><a x=">" href=/2>gt in quotes</a>',
  '<a/href=/1/>slashes</a><a\nhref\n=\n"/2"\n>breaks</a><a href>no value</a><a href=>nothing</a>',
  '<a href="/1?a=1&amp;b=2&copy=3&lt=4&notin;">references in attributes</a>',
  '&copy;&copy &notit; &#x80;&#128;&#0;&#xD800;&#1114112;&#x110000;&nGt;&amp;amp; &AMP &unknown; &; &# &#x; &',
  '<!-- <a href=/no> --><a href=/1>x</a><!--><a href=/2>y</a><!---><a href=/3>z</a><!-- --!><a href=/4>',
  '<!-- a -- b --> c <!-- unclosed <a href=/no>',
  '<!doctype html><!bogus <a href=/no>><?php "<a href=/no>" ?><a href=/1>x</a></ bogus><a href=/2></></3>y',
  '<![CDATA[ <a href=/1> ]]> text <svg><![CDATA[ <a href=/no> ]]></svg>',
  '<script>"<a href=/no>"</script><style><a href=/no></style><a href=/1>x</a>',
  '<script><!-- <script> </script> <a href=/no> --></script><a href=/1>x</a>',
  '<script><!-- </script><a href=/1>escaped, not twice</a>',
  '<script><!--><script></script><a href=/1>an escape that is over at once</a>',
  '<script></scripty></script ><a href=/1>x</a><script></script/x><a href=/2>y</a>',
  '<title>a <b> &amp; <a href=/no></title><textarea><a href=/no>&lt;</textarea><a href=/1>x</a>',
  '<xmp><a href=/no>&amp;</xmp><iframe src=/f><a href=/no></iframe><noembed><a href=/no></noembed><a href=/1>x</a>',
  '<noframes><a href=/no></noframes><a href=/1>x</a><plaintext><a href=/no></plaintext>&amp;',
  '<p><noscript><a href=/1>x</a></noscript>seen',
  '<svg><title><a href=/1>html in svg title</a></title><style><a href=/2></style><a href=/3>svg</a></svg>',
  '<svg><desc><style><a href=/no></style></desc></svg><a href=/1>x</a>',
  '<svg><p><title><a href=/no></title><a href=/1>broken out</a>',
  '<svg><foreignObject><title><a href=/no></title><div>html</div></foreignObject><title>t</title></svg>seen',
  '<math><mi><style><a href=/no></style></mi><annotation>hidden</annotation></math>seen',
  '<math><annotation-xml encoding="text/html"><style><a href=/no></style></annotation-xml></math>seen',
  '<template><a href=/no>unseen</a><template>deep</template>still</template><a href=/1>x</a>',
  '<base href="/b/"><a href=1>x</a><base href="/c/"><a href=2>y</a>',
  '<a href=1>before base</a><base href="http://other.test/b/">',
  '<base href="javascript:x"><a href=1>x</a>',
  '<frameset><frame src=/1><frame src="/2"><a href=/no>no</a></frameset><noframes><a href=/no></noframes>',
  '<p>body<frameset><frame src=/no></frameset><a href=/1>x</a>',
  '<area href=/1><map><area href=/2></map><link rel=next href=/3><link rel="alternate stylesheet" href=/no>',
  '<a href=" /1 ">sp</a><a href="\t/2\n">tab</a><a href="/a\nb">inside</a><a href="http:\\\\h.test\\x">back</a>',
  '<a href="//h.test/x">a</a><a href="HTTP://H.test:80/y">b</a><a href="?q">c</a><a href="#f">d</a><a href="">e</a>',
  '<a href="../up">a</a><a href="./x/../y">b</a><a href="/a/%2e%2e/b">c</a><a href="x y">d</a><a href="é?é">e</a>',
  '<a href="javascript:alert(1)">a</a><a href="java\nscript:x">b</a><a href="mailto:x@y">c</a><a href="data:,x">d</a>',
  '<a href="http://[::1">bad</a><a href="http://">none</a><a href="https:/one">one slash</a><a href="https:x">none</a>',
  '<div hidden>unseen<p>unseen</p></div>seen<p hidden>unseen<p>seen<ul><li hidden>unseen<li>seen</ul>',
  '<table><tr><td hidden>unseen<td>seen<tr hidden><td>unseen<tr><td>seen</table><dl><dt hidden>unseen<dd>seen</dl>',
  '<div hidden=until-found>seen</div><input hidden>seen<img hidden>seen<br hidden>seen',
  '<p>a<b>b</p>c</b><table><td>d<table><td>e</table></td></table><ul><li>f<ul><li>g</ul></ul>',
  '<span>in</span><span>line</span> <em>w</em>ord a<br>b a<wbr>b <td>no cell</td>',
  '</p>lone ends</br></div></table></x>here',
  '<a href=/1>unclosed <a href=/2>nested',
  'cut in a tag <a href="/no',
  'cut in a comment <!-- <a href=/no>',
  'cut <a href=/no',
  'less < than <3 <',
  '</',
  '<',
  '',
  '\0<a href=/1\0>n\0ul</a>',
  '<a\0b href=/no>other element</a><a href=/1>x</a\0><a href=/2>y',
]

for (const source of NASTY)
  test(`reads as the standard does: ${JSON.stringify(source).slice(0, 90)}`, () => {
    const expected = oracle(source)
    const found = ours(source)
    assert.deepEqual(found.links.toSorted(), [...expected.links].sort())
    assert.deepEqual(found.words, expected.words)
    assert.equal(found.title, expected.title)
  })

test('differs from the tree: what stands in select is read, as in the standard of 2025', () => {
  assert.deepEqual(ours('<select><a href=/1>x</a></select>').links, ['https://example.com/1'])
})

test('differs from the tree: text of a noscript in the head is not shown', () => {
  assert.deepEqual(ours('<head><noscript>Enable JavaScript<a href=/1>x</a></noscript><p>seen').words, ['seen'])
})

test('differs from the tree: a declarative shadow root is content', () => {
  const found = ours('<div><template shadowrootmode=open><a href=/1>seen</a></template></div>')
  assert.deepEqual([found.links, found.words], [['https://example.com/1'], ['seen']])
})

const piece = fc.constantFrom(...NASTY.flatMap((source) => source.match(/<[^<]*|[^<]+/g) ?? []))
const soup = fc.array(piece, { maxLength: 25 }).map((pieces) => pieces.join(''))

test('nasty markup in random order gives the links of the tree (99 % recall and precision, 97 % of the words)', () => {
  const links = none()
  const words = none()
  fc.assert(
    fc.property(soup, (source) => {
      const expected = oracle(source)
      const found = ours(source)
      compare(links, found.links, expected.links)
      compare(words, found.words, expected.words)
    }),
    { numRuns: 2000, seed: 7 },
  )
  const figures = [recall(links), precision(links), recall(words), precision(words)]
  assert.ok(Math.min(figures[0]!, figures[1]!) >= 0.99, `links ${figures}`)
  assert.ok(Math.min(figures[2]!, figures[3]!) >= 0.97, `words ${figures}`)
})

const corpus = new URL('../../../shared/corpus/pages/', import.meta.url)
const skip = existsSync(corpus) ? false : 'the corpus of real pages is not on this machine'

test('real pages give the links and words of the tree (99.9 % of both, each way)', { skip }, (context) => {
  const links = none()
  const words = none()
  for (const name of readdirSync(corpus)) {
    const body = gunzipSync(readFileSync(new URL(name, corpus)))
    const expected = oracle(toUtf8(body, 'text/html').bytes.toString())
    const found = ours(body)
    compare(links, found.links, expected.links)
    compare(words, found.words, expected.words)
  }
  context.diagnostic(`links: recall ${recall(links)}, precision ${precision(links)} of ${links.expected}`)
  context.diagnostic(`words: recall ${recall(words)}, precision ${precision(words)} of ${words.expected}`)
  for (const total of [links, words]) assert.ok(Math.min(recall(total), precision(total)) >= 0.999)
})
