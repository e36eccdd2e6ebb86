import type { Page } from '../parse/page.ts'
import { isLongerThan, type PageText } from '../parse/page-text.ts'
import { SomeWords } from './some-words.ts'

/**
 * Pages that stand where content should be: challenges for browsers, captchas, questions for consent, domains for sale.
 * They answer 200, and are told by what only they have. Looked for in small pages only: what has much text is content,
 * whatever scripts it carries.
 */
export type Wall = { readonly kind: 'blocked' | 'parked'; readonly by: string }

const MAX_TEXT_CHARS = 1500
const MAX_BODY_BYTES = 200_000
const LOOKED_AT_BYTES = 65_536

/** What a page of its kind has, by whom it is, and words of which it has one at least: told at less cost. */
type Sign = readonly [sign: RegExp, by: string, words: readonly string[]]

/** Marks in the markup: names of the scripts and variables that challenges are made of. */
const MARKS: readonly Sign[] = [
  [
    /_cf_chl_opt|cf-challenge-running|\/cdn-cgi\/challenge-platform\/h\/[bg]\/orchestrate/,
    'Cloudflare challenge',
    ['_cf_chl_opt', 'cf-challenge-running', 'challenge-platform/h/'],
  ],
  [
    /captcha-delivery\.com|geo\.captcha-delivery|['"]dd['"]?\s*:\s*\{\s*['"]rt['"]/,
    'DataDome',
    ['captcha-delivery', `"rt"`, `'rt'`, `"rt'`, `'rt"`],
  ],
  [
    /id=["']px-captcha|_pxAppId|captcha\.px-cdn\.net|perimeterx\.net/,
    'PerimeterX',
    ['px-captcha', '_pxAppId', 'px-cdn', 'perimeterx'],
  ],
  [/_Incapsula_Resource|incapsula incident id/i, 'Imperva', ['_Incapsula_Resource', 'incapsula incident']],
  [
    /awswaf\.com\/[^"']*challenge\.js|window\.gokuProps|aws-waf-token/,
    'AWS WAF',
    ['awswaf', 'window.gokuProps', 'aws-waf-token'],
  ],
  [
    /sec-if-cpt-container|sec-cpt-if|akam\/\d+\/pixel_[^"']*a=dD0/,
    'Akamai',
    ['sec-if-cpt-container', 'sec-cpt-if', '/pixel_'],
  ],
  [/sucuri_cloudproxy_js|sucuri\.net\/privacy/, 'Sucuri', ['sucuri_cloudproxy_js', 'sucuri.net/privacy']],
  [/ddos-guard\.net\/|__ddg\d_/, 'DDoS-Guard', ['ddos-guard', '__ddg']],
  [/\/_sec\/verify|kpsdk|ips\.js\?.*kpsdk/i, 'Kasada', ['/_sec/verify', 'kpsdk']],
  [
    /distil_r_captcha|distilCallbackGuard|\/distil_identify_cookie/i,
    'Distil',
    ['distil_r_captcha', 'distilCallbackGuard', 'distil_identify_cookie'],
  ],
  [
    /within\.website\/x\/cmd\/anubis|id=["']anubis_challenge/,
    'Anubis',
    ['within.website/x/cmd/anubis', 'anubis_challenge'],
  ],
]

/** What such pages say, to people. */
const WORDS: readonly Sign[] = [
  [
    /\b(?:checking|verifying) (?:your browser|you are human|if the site connection is secure)/i,
    'browser check',
    ['checking you', 'verifying you', 'checking if the site', 'verifying if the site'],
  ],
  [
    /\b(?:verify|confirm|prove) (?:that )?you(?:'| a)re (?:a |not a )?(?:human|robot)/i,
    'human check',
    ['re human', 're robot', 're a human', 're a robot', 'not a human', 'not a robot'],
  ],
  [/\bare you a (?:human|robot)\b|\bi(?:'| a)m not a robot\b/i, 'human check', ['are you a ', 'not a robot']],
  [
    /\bunusual (?:traffic|activity) from your (?:computer )?(?:network|ip)/i,
    'rate wall',
    ['unusual traffic', 'unusual activity'],
  ],
  [
    /\benable (?:js|javascript) and (?:cookies|disable any ad blocker)\b/i,
    'browser check',
    ['and cookies', 'and disable any ad'],
  ],
  [
    /\b(?:complete|solve) the (?:captcha|security check)\b|\benter the characters you see\b/i,
    'captcha',
    ['the captcha', 'the security check', 'enter the characters'],
  ],
  [
    /^\s*(?:just a moment\.{3}|attention required!|ddos protection by|access denied\b.*\breference)/i,
    'browser check',
    ['just a moment', 'attention required', 'ddos protection', 'access denied'],
  ],
  [
    /\bbefore you continue to \w+|\bwe value your privacy\b[\s\S]*\b(?:accept all|reject all|manage)\b/i,
    'consent page',
    ['before you continue to', 'we value your privacy'],
  ],
]

const PARKED: readonly Sign[] = [
  [
    /\b(?:this|the) domain (?:name )?(?:\S+ )?(?:is|may be) (?:for sale|parked|available for (?:sale|purchase))/i,
    'domain for sale',
    [...['is for sale', 'is parked', 'is available for'], ...['be for sale', 'be parked', 'be available for']],
  ],
  [
    /\bbuy this domain\b|\bdomain is for sale\b|\bdiese domain (?:steht zum verkauf|ist geparkt)/i,
    'domain for sale',
    ['buy this domain', 'is for sale', 'diese domain'],
  ],
  [/\bthis (?:web ?page|domain|site) is parked (?:free|by|courtesy)/i, 'parked domain', ['is parked']],
]
const PARKED_MARKS: Sign = [
  /sedoparking\.com|parkingcrew\.net|bodis\.com|\/\/(?:www\.)?above\.com\/marketplace|hugedomains\.com\/domain_profile|window\.park\s*=|data-adblockkey=|afternic\.com\/forsale|dan\.com\/buy-domain/,
  'parked domain',
  [
    ...['sedopark', 'parkingcrew', 'bodis.com', 'above.com/marketp', 'hugedomains'],
    ...['window.park', 'data-adblockkey=', 'afternic', 'dan.com/buy'],
  ],
]

const inMarkup = new SomeWords([...MARKS, PARKED_MARKS].flatMap(([, , words]) => words))
const inText = new SomeWords([...WORDS, ...PARKED].flatMap(([, , words]) => words))

/** What is looked at of the markup; `''` where no mark can be. */
function markupOf(body: Buffer): string {
  return inMarkup.standIn(body, Math.min(body.length, LOOKED_AT_BYTES))
    ? body.toString('latin1', 0, LOOKED_AT_BYTES)
    : ''
}

/** The mark of a challenge, whether it stands in a page with much text or with little. */
function markIn(markup: string): string | undefined {
  return markup === '' ? undefined : MARKS.find(([mark]) => mark.test(markup))?.[1]
}

/** Whether it may be a wall: more is known when its text is. */
export function hasWallMark(body: Buffer): boolean {
  return body.length <= MAX_BODY_BYTES && markIn(markupOf(body)) !== undefined
}

/** `undefined`: it is content. */
export function wallIn(
  body: Buffer,
  { title, text, kind }: Pick<Page<PageText>, 'title' | 'text' | 'kind'>,
): Wall | undefined {
  if (kind !== 'html' || isLongerThan(text, MAX_TEXT_CHARS) || body.length > MAX_BODY_BYTES) return undefined
  const markup = markupOf(body)
  const by = markIn(markup)
  if (by) return { kind: 'blocked', by }
  if (PARKED_MARKS[0].test(markup)) return { kind: 'parked', by: PARKED_MARKS[1] }
  const words = `${title}\n${text}`
  if (!inText.standIn(Buffer.from(words, 'latin1'))) return undefined
  const said = WORDS.find(([saying]) => saying.test(words))?.[1]
  // Words alone are weak: a page about robots may use them too, but it has more to say.
  if (said && !isLongerThan(text, MAX_TEXT_CHARS / 2)) return { kind: 'blocked', by: said }
  const sale = PARKED.find(([saying]) => saying.test(words))?.[1]
  return sale ? { kind: 'parked', by: sale } : undefined
}
