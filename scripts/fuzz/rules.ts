import { UsageError } from '../../src/config/usage-error.ts'
import { phraseOf } from '../../src/index/adapters/embedded/matches.ts'
import { excerpt } from '../../src/index/excerpt.ts'
import { parseQuery } from '../../src/index/query.ts'
import { crawlDelayMs, parseRobots, verdict } from '../../src/politeness/robots.ts'
import { canonicalRules, canonicalUrl } from '../../src/url/canonical.ts'
import { urlConfig } from '../../src/url/config.ts'
import { urlPattern } from '../../src/url/patterns.ts'
import { trapIn } from '../../src/url/traps.ts'
import { buffers, type Part, promise } from './part.ts'

export const robots: Part = {
  name: 'robots',
  corpus: buffers(
    'User-agent: *\nDisallow: /private\nAllow: /private/index.html\nCrawl-delay: 2.5\nSitemap: https://a.test/s.xml\n',
    '\ufeffuseragent orbweaver\r\nDissalow: /*a*b$\r\n\r\nUser-agent: x/2\nDisallow:\n',
    '<!doctype html><title>404</title>',
  ),
  words: [
    'User-agent: ',
    'Disallow: /',
    'Allow: ',
    'Crawl-delay: ',
    '*',
    '$',
    '%2F',
    '\r\n',
    '\n',
    '#',
    'é',
    '/index.htm',
    ':',
  ],
  read(input) {
    const rules = parseRobots(input)
    const text = input.toString('latin1', 0, 300)
    for (const path of ['/', '/private/x?y=z', `/${text}`]) verdict(rules, 'orbweaver', `https://a.test${path}`)
    const delay = crawlDelayMs(rules, 'orbweaver')
    promise(delay === null || (delay >= 0 && delay <= 86_400_000), 'a crawl-delay is at most a day')
  },
}

const config = urlConfig.parse({})
const canonical = canonicalRules(config)

export const url: Part = {
  name: 'url',
  corpus: buffers(
    'https://user:secret@Example.COM:443/a/./b/../c;jsessionid=1?b=2&a=1&utm_source=x#top',
    'http://bücher.example./%7euser/%2561?sid=0123456789abcdef0123456789abcdef&&=',
    '//other.test/(S(lit3py55t21z5v55vlm25s55))/x',
    '../up?q#f',
    'http://[::1]:80/calendar/2026/01/02',
  ),
  words: [
    '%',
    '%2e',
    '%2F',
    '../',
    '//',
    ';jsessionid=',
    '?',
    '&',
    '=',
    '#',
    '@',
    ':',
    'utm_x=1',
    '\\',
    '[',
    'xn--',
    '%zz',
    '\u200d',
  ],
  read(input) {
    const first = canonicalUrl(input.toString(), 'https://base.test/dir/', canonical)
    if (first.url === undefined) return
    promise(canonicalUrl(first.url, undefined, canonical).url === first.url, 'a canonical URL is canonical')
    promise(first.url.length <= config.maxUrlChars, 'a canonical URL keeps to its limit')
    trapIn(first.url, Date.UTC(2026, 0), config.traps)
  },
}

/** Patterns of users: understood or refused in a sentence, and never slow. */
export const pattern: Part = {
  name: 'pattern',
  corpus: buffers('re:^https?://a\\.test/(a|b)*c{2,5}[^/]+$', '*a*b*', 're:(a+)+$', 're:[a-z]|\\d{3}', '/path/*'),
  words: ['re:', '(', ')', '*', '+', '?', '{1,9}', '[^', ']', '|', '\\d', '.', '^', '$', '(?:', 'a'],
  read(input) {
    const text = input.toString('latin1', 0, 500)
    try {
      const { matches } = urlPattern(text)
      const subject = canonicalUrl(`https://a.test/${'a'.repeat(300)}${text}`, undefined, canonical).url
      if (subject) matches(subject)
    } catch (error) {
      if (!(error instanceof UsageError)) throw error
    }
  },
}

export const query: Part = {
  name: 'query',
  corpus: buffers('"two words" -without site:a.test lang:de after:2026-01-01', 'title:x foo-bar* 日本語', '-"'),
  words: ['"', '-', 'site:', 'lang:', 'after:', 'before:', 'title:', '*', ' ', 'é', '日', '\u0301', 'NEAR(', ' OR '],
  read(input) {
    const text = input.toString()
    const asked = parseQuery(text)
    promise(
      [...asked.terms, ...asked.without].map(phraseOf).every(({ tokens }) => tokens.length > 0),
      'a term has words',
    )
    promise(excerpt({ text, description: text.slice(0, 100) }, asked).length <= 2000, 'an excerpt is short')
  },
}
