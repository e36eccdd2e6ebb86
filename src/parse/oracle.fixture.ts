import { type DefaultTreeAdapterTypes, html, parse } from 'parse5'
import { parseConfig } from './config.ts'
import { parsePage } from './parse-page.ts'
import { BLOCK, SPACE, tagFlags, tagId } from './tags.ts'

/** The fast pass and the tree of the HTML standard, as parse5 builds it, in terms that can be compared. */

type Node = DefaultTreeAdapterTypes.ChildNode
type Element = DefaultTreeAdapterTypes.Element

const PAGE = 'https://example.com/dir/page'
const config = parseConfig.parse({})

export interface Reading {
  readonly links: readonly string[]
  readonly words: readonly string[]
  readonly title: string
}

export function ours(source: string | Buffer): Reading {
  const page = parsePage(Buffer.from(source), { url: PAGE, contentType: 'text/html', config })
  return { links: [...new Set(page.links.map((link) => link.url))], words: wordsOf(page.text), title: page.title }
}

export function oracle(source: string): Reading {
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
  const isUnfollowed = ['nofollow', 'ugc', 'sponsored'].some((word) => rel.includes(word))
  if (['iframe', 'frame'].includes(element.tagName)) return attribute(element, 'src')
  if (['a', 'area'].includes(element.tagName)) return isUnfollowed ? undefined : attribute(element, 'href')
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

export function wordsOf(text: string): string[] {
  return text
    .replace(/[\u0000-\u0020\u007f\u00a0]+/g, ' ')
    .trim()
    .split(/\s+/)
    .filter((word) => word !== '')
}

export interface Agreement {
  found: number
  expected: number
  common: number
}

export function compare(total: Agreement, found: readonly string[], expected: readonly string[]): void {
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

export const none = (): Agreement => ({ found: 0, expected: 0, common: 0 })
export const recall = (total: Agreement) => total.common / Math.max(1, total.expected)
export const precision = (total: Agreement) => total.common / Math.max(1, total.found)
