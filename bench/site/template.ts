/** A document without its title, cut at each link: `pieces[0] + href + pieces[1] + href + …`. */
export interface Template {
  readonly lang: string
  readonly pieces: readonly string[]
}

const attributes = `(?:[^>"']|"[^"]*"|'[^']*')*`
/** What must not be read as markup, then the tags that lead elsewhere or speak for the document. */
const interesting = new RegExp(
  `<!--[\\s\\S]*?-->|<(?:script|style)\\b${attributes}>[\\s\\S]*?</(?:script|style)\\s*>|` +
    `<title\\b[^>]*>[\\s\\S]*?</title\\s*>|<!doctype[^>]*>|</?(?:html|head)(?![\\w-])${attributes}>|</body\\s*>|` +
    `<(?:a|area|base|link|meta|iframe|frame)(?=[\\s/>])${attributes}>`,
  'gi',
)
const attribute = /([^\s"'>/=]+)(?:\s*=\s*("[^"]*"|'[^']*'|[^\s"'>]+))?/g
const harmlessLink = /\brel\s*=\s*["']?(?:stylesheet|preload|preconnect|(?:shortcut )?icon)\b/i
const speakingMeta = /\b(?:http-equiv|charset)\b|\bname\s*=\s*["']?(?:robots|googlebot|description|keywords)\b/i

/** Links that no crawler counts: places in the same page, programs, mail. */
const notOfPages = /^["']?\s*(?:#|javascript:|mailto:|tel:|["']?$)/i

/** Stands where an address goes; no document contains it. */
const gap = '\u0000'

/**
 * Makes any page fit to be one of many: its links become gaps, and what would send a crawler elsewhere (base, canonical,
 * robots, refresh, feeds, frames) is gone. Also in styles, comments and scripts, where eager crawlers look.
 */
export function template(html: string): Template {
  const lang = /<html\b[^>]*?\blang\s*=\s*["']?([\w-]+)/i.exec(html)?.[1] ?? 'en'
  const text = html
    .replaceAll(gap, '')
    .replaceAll(/\burl\(/gi, 'src(')
    .replace(interesting, (found) => replacement(found))
  return { lang, pieces: text.split(gap) }
}

function replacement(found: string): string {
  const name = /^<(!--|[!/]?\w+)/.exec(found)?.[1]?.toLowerCase()
  switch (name) {
    case '!--':
    case 'script':
    case 'style':
      return found.replaceAll(/href/gi, 'data')
    case 'a':
    case 'area':
      return anchor(name, found)
    case 'iframe':
    case 'frame':
      return found.replaceAll(/\ssrc\s*=/gi, ' data-src=')
    case 'link':
      return harmlessLink.test(found) ? found : ''
    case 'meta':
      return speakingMeta.test(found) ? '' : found
    default:
      return ''
  }
}

function anchor(name: string, tag: string): string {
  let isLink = false
  let kept = ''
  for (const [text, attributeName = '', value = ''] of tag.slice(name.length + 1, -1).matchAll(attribute)) {
    const known = attributeName.toLowerCase()
    if (known === 'href') isLink = !notOfPages.test(value)
    else if (!['rel', 'download', 'ping', 'xlink:href'].includes(known)) kept += ` ${text}`
  }
  return isLink ? `<${name} href="${gap}"${kept}>` : `<${name}${kept}>`
}

export function filled({ pieces }: Template, hrefs: readonly string[]): string {
  return pieces.map((piece, n) => (n === pieces.length - 1 ? piece : piece + hrefs[n])).join('')
}
