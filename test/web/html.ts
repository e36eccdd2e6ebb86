import type { Href } from './graph.ts'
import type { Text } from './prose.ts'

export interface HtmlOptions extends Text {
  readonly lang: string
  /** What the page declares in a meta tag; nothing when absent. */
  readonly charset?: string
  /** A word that stands on this page alone. */
  readonly marker: string
  readonly links: readonly Href[]
  /** Further elements of the head, as HTML. */
  readonly head?: string
  /** Bytes of inline script, to make the page as heavy as real ones. */
  readonly ballastBytes?: number
}

export function html(page: HtmlOptions): string {
  const charset = page.charset ? `<meta charset="${page.charset}">` : ''
  const ballast = page.ballastBytes ? `<script>${ballastOf(page.marker, page.ballastBytes)}</script>` : ''
  return `<!doctype html>
<html lang="${page.lang}"><head>${charset}<title>${escaped(page.title)}</title>
<meta name="description" content="${escaped(page.description)}">${page.head ?? ''}${ballast}</head>
<body><main><h1>${escaped(page.title)}</h1>
${page.paragraphs.map((paragraph) => `<p>${escaped(paragraph)}</p>`).join('\n')}
</main><nav><ul>
${page.links.map(anchor).join('\n')}
</ul></nav><footer>Folio ${page.marker}</footer></body></html>
`
}

export function escaped(text: string): string {
  return /[&<>"]/.test(text)
    ? text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')
    : text
}

function anchor({ href, text, rel }: Href): string {
  const relation = rel ? ` rel="${rel}"` : ''
  return `<li><a href="${escaped(href)}"${relation}>${escaped(text ?? nameOf(href))}</a></li>`
}

/** `/guides/larch-17` → `larch 17` */
function nameOf(href: string): string {
  const last = href.trim().split(/[?#]/, 1)[0]!.split('/').at(-1)!
  return last === '' ? 'home' : last.replaceAll('-', ' ')
}

/** Looks like minified code, so that it compresses as such. */
function ballastOf(marker: string, bytes: number): string {
  const parts: string[] = []
  for (let length = 0, i = 0; length < bytes; i++) {
    const part = `function f${i}(a,b){return a.${marker.slice(i % 7, (i % 7) + 4)}(b["k${(i * 7919) % 9973}"])||${i}};`
    parts.push(part)
    length += part.length
  }
  return parts.join('')
}
