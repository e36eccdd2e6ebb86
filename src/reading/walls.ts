import type { Page } from '../parse/page.ts'

/**
 * Pages that stand where content should be: challenges for browsers, captchas, questions for consent, domains for sale.
 * They answer 200, and are told by what only they have. Looked for in small pages only: what has much text is content,
 * whatever scripts it carries.
 */
export type Wall = { readonly kind: 'blocked' | 'parked'; readonly by: string }

const MAX_TEXT_CHARS = 1500
const MAX_BODY_BYTES = 200_000
const LOOKED_AT_BYTES = 65_536

/** Marks in the markup: names of the scripts and variables that challenges are made of. */
const MARKS: readonly (readonly [RegExp, string])[] = [
  [/_cf_chl_opt|cf-challenge-running|\/cdn-cgi\/challenge-platform\/h\/[bg]\/orchestrate/, 'Cloudflare challenge'],
  [/captcha-delivery\.com|geo\.captcha-delivery|['"]dd['"]?\s*:\s*\{\s*['"]rt['"]/, 'DataDome'],
  [/id=["']px-captcha|_pxAppId|captcha\.px-cdn\.net|perimeterx\.net/, 'PerimeterX'],
  [/_Incapsula_Resource|incapsula incident id/i, 'Imperva'],
  [/awswaf\.com\/[^"']*challenge\.js|window\.gokuProps|aws-waf-token/, 'AWS WAF'],
  [/sec-if-cpt-container|sec-cpt-if|akam\/\d+\/pixel_[^"']*a=dD0/, 'Akamai'],
  [/sucuri_cloudproxy_js|sucuri\.net\/privacy/, 'Sucuri'],
  [/ddos-guard\.net\/|__ddg\d_/, 'DDoS-Guard'],
  [/\/_sec\/verify|kpsdk|ips\.js\?.*kpsdk/i, 'Kasada'],
  [/distil_r_captcha|distilCallbackGuard|\/distil_identify_cookie/i, 'Distil'],
  [/within\.website\/x\/cmd\/anubis|id=["']anubis_challenge/, 'Anubis'],
]

/** What such pages say, to people. */
const WORDS: readonly (readonly [RegExp, string])[] = [
  [/\b(?:checking|verifying) (?:your browser|you are human|if the site connection is secure)/i, 'browser check'],
  [/\b(?:verify|confirm|prove) (?:that )?you(?:'| a)re (?:a |not a )?(?:human|robot)/i, 'human check'],
  [/\bare you a (?:human|robot)\b|\bi(?:'| a)m not a robot\b/i, 'human check'],
  [/\bunusual (?:traffic|activity) from your (?:computer )?(?:network|ip)/i, 'rate wall'],
  [/\benable (?:js|javascript) and (?:cookies|disable any ad blocker)\b/i, 'browser check'],
  [/\b(?:complete|solve) the (?:captcha|security check)\b|\benter the characters you see\b/i, 'captcha'],
  [/^\s*(?:just a moment\.{3}|attention required!|ddos protection by|access denied\b.*\breference)/i, 'browser check'],
  [
    /\bbefore you continue to \w+|\bwe value your privacy\b[\s\S]*\b(?:accept all|reject all|manage)\b/i,
    'consent page',
  ],
]

const PARKED: readonly (readonly [RegExp, string])[] = [
  [
    /\b(?:this|the) domain (?:name )?(?:\S+ )?(?:is|may be) (?:for sale|parked|available for (?:sale|purchase))/i,
    'domain for sale',
  ],
  [/\bbuy this domain\b|\bdomain is for sale\b|\bdiese domain (?:steht zum verkauf|ist geparkt)/i, 'domain for sale'],
  [/\bthis (?:web ?page|domain|site) is parked (?:free|by|courtesy)/i, 'parked domain'],
]
const PARKED_MARKS =
  /sedoparking\.com|parkingcrew\.net|bodis\.com|\/\/(?:www\.)?above\.com\/marketplace|hugedomains\.com\/domain_profile|window\.park\s*=|data-adblockkey=|afternic\.com\/forsale|dan\.com\/buy-domain/

/** The mark of a challenge, whether it stands in a page with much text or with little. */
function markIn(body: Buffer): string | undefined {
  const markup = body.toString('latin1', 0, LOOKED_AT_BYTES)
  return MARKS.find(([mark]) => mark.test(markup))?.[1]
}

/** Whether it may be a wall: more is known when its text is. */
export function hasWallMark(body: Buffer): boolean {
  return body.length <= MAX_BODY_BYTES && markIn(body) !== undefined
}

/** `undefined`: it is content. */
export function wallIn(body: Buffer, { title, text, kind }: Pick<Page, 'title' | 'text' | 'kind'>): Wall | undefined {
  if (kind !== 'html' || text.length > MAX_TEXT_CHARS || body.length > MAX_BODY_BYTES) return undefined
  const by = markIn(body)
  if (by) return { kind: 'blocked', by }
  if (PARKED_MARKS.test(body.toString('latin1', 0, LOOKED_AT_BYTES))) return { kind: 'parked', by: 'parked domain' }
  const words = `${title}\n${text.slice(0, 1500)}`
  const said = WORDS.find(([saying]) => saying.test(words))?.[1]
  // Words alone are weak: a page about robots may use them too, but it has more to say.
  if (said && text.length <= MAX_TEXT_CHARS / 2) return { kind: 'blocked', by: said }
  const sale = PARKED.find(([saying]) => saying.test(words))?.[1]
  return sale ? { kind: 'parked', by: sale } : undefined
}
