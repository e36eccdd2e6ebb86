import { prose } from '../../test/web/prose.ts'
import { type Random, random } from '../../test/web/random.ts'

const documents = 40
const meanBytes = 98_000
const linksOfDocument = 102

/**
 * Documents for where there is no corpus. Weight, number of links, share of text and compressibility are those of the
 * real pages that they stand for.
 */
export function* inventedPages(): Generator<string> {
  // From a quarter of the mean to seven quarters, evenly.
  for (let n = 0; n < documents; n++) yield inventedPage(n, meanBytes * (0.25 + (1.5 * n) / (documents - 1)))
}

function inventedPage(n: number, bytes: number): string {
  const chance = random('invented', n)
  const { paragraphs } = prose(['invented', n], 'en', Math.round(bytes / 1500))
  const links = Math.round((linksOfDocument * bytes) / meanBytes)
  const blocks = [
    ...paragraphs.map((text) => `<div class="${classes(chance)}"><p>${text}</p></div>`),
    ...Array.from({ length: links }, () => menuItem(chance)),
  ]
  const body = blocks.join('\n')
  return `<html lang="en"><head>${script(chance, bytes - body.length)}</head>\n<body>${body}</body></html>`
}

function menuItem(chance: Random): string {
  const { title } = prose(['item', chance.next()], 'en', 0)
  const id = chance.next().toString(36)
  return `<li class="${classes(chance)}" id="item-${id}"><a class="menu-link" href="/" data-id="${id}"><span>${title}</span></a></li>`
}

function classes(chance: Random): string {
  const parts = ['card', 'grid', 'wide', 'inner', 'content', 'teaser', 'column', 'box']
  return `${chance.pick(parts)}__${chance.pick(parts)} ${chance.pick(parts)}--${chance.pick(parts)}-${chance.below(12)}`
}

/** Looks like minified code and settings, the heavier part of most pages. */
function script(chance: Random, bytes: number): string {
  const lines: string[] = []
  for (let length = 0; length < bytes; length += lines.at(-1)!.length) {
    const key = chance.next().toString(36)
    lines.push(`"${key}":{"type":"${classes(chance)}","visible":${chance.chance(0.5)},"order":${chance.below(100)}},`)
  }
  return `<script>window.settings={${lines.join('')}}</script>`
}
