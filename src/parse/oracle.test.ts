import assert from 'node:assert/strict'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { gunzipSync } from 'node:zlib'
import fc from 'fast-check'
import { type DefaultTreeAdapterTypes, html, parse } from 'parse5'
import { toUtf8 } from './charset.ts'
import { parseConfig } from './config.ts'
import { NASTY, NASTY_PIECES } from './nasty-markup.fixture.ts'
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

const piece = fc.constantFrom(...NASTY_PIECES)
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
