import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { canonicalRules, canonicalUrl } from './canonical.ts'
import { urlConfig } from './config.ts'
import { normalizeEscapes } from './percent.ts'

const rules = canonicalRules(urlConfig.parse({}))
const canonical = (text: string, base?: string) => canonicalUrl(text, base, rules)
const same = (cases: Record<string, string>) => {
  for (const [text, url] of Object.entries(cases)) assert.deepEqual(canonical(text), { url }, text)
}
const ID = '0123456789abcdef0123456789abcdef'

describe('canonical URL', () => {
  test('case of scheme and host, default ports, dot segments, fragments and empty paths do not matter', () => {
    same({
      'HTTP://Example.COM': 'http://example.com/',
      'https://example.com:443/a': 'https://example.com/a',
      'http://example.com:80': 'http://example.com/',
      'http://example.com:443/': 'http://example.com:443/',
      'http://example.com/a/./b/../c': 'http://example.com/a/c',
      'http://example.com/../../a': 'http://example.com/a',
      'http://example.com/%2e%2E/a': 'http://example.com/a',
      'http://example.com/a#b?c': 'http://example.com/a',
      'http://example.com/#/route': 'http://example.com/',
      'http://example.com?a=1': 'http://example.com/?a=1',
      'http://example.com?': 'http://example.com/',
      'http://example.com/a?#x': 'http://example.com/a',
      '  http://example.com/\ta\nb  ': 'http://example.com/ab',
      'http:\\\\example.com\\a': 'http://example.com/a',
    })
  })

  test('paths that servers tell apart stay apart', () => {
    for (const [a, b] of [
      ['http://e.com/a', 'http://e.com/a/'],
      ['http://e.com/a', 'http://e.com/A'],
      ['http://e.com/a//b', 'http://e.com/a/b'],
      ['http://e.com/a%2Fb', 'http://e.com/a/b'],
      ['http://e.com/a%3Fb', 'http://e.com/a?b'],
      ['http://e.com/a%3Bb', 'http://e.com/a;b'],
      ['http://e.com/?a=1%26b=2', 'http://e.com/?a=1&b=2'],
      ['http://e.com/?a=b+c', 'http://e.com/?a=b%2Bc'],
      ['http://e.com/?a', 'http://e.com/?a='],
      ['http://e.com/?a=1&a=2', 'http://e.com/?a=2&a=1'],
      ['http://e.com/index.html', 'http://e.com/'],
      ['http://e.com/', 'https://e.com/'],
      ['http://www.e.com/', 'http://e.com/'],
    ] as const)
      assert.notEqual(canonical(a).url, canonical(b).url, `${a} ${b}`)
  })

  test('escapes have one spelling', () => {
    same({
      'http://e.com/%7euser/%61%2d': 'http://e.com/~user/a-',
      'http://e.com/a%2fb%c3%a9': 'http://e.com/a%2Fb%C3%A9',
      'http://e.com/é?é=ü': 'http://e.com/%C3%A9?%C3%A9=%C3%BC',
      'http://e.com/a b|c[1]^': 'http://e.com/a%20b%7Cc%5B1%5D%5E',
      'http://e.com/?a[]=1': 'http://e.com/?a%5B%5D=1',
      'http://e.com/?a%5b%5d=1': 'http://e.com/?a%5B%5D=1',
      'http://e.com/100%': 'http://e.com/100%25',
      'http://e.com/%zz%4': 'http://e.com/%25zz%254',
      'http://e.com/\ud800': 'http://e.com/%EF%BF%BD',
    })
  })

  test('an escape is not decoded twice', () => {
    same({
      'http://e.com/%2561': 'http://e.com/%2561',
      'http://e.com/%%36%31': 'http://e.com/%2561',
      'http://e.com/a/%252e%252e/b': 'http://e.com/a/%252e%252e/b',
    })
  })

  test('host names are in ASCII, without the dot of a rooted name, and addresses in one form', () => {
    same({
      'http://Bücher.example/': 'http://xn--bcher-kva.example/',
      'http://example.com./a': 'http://example.com/a',
      'http://example.com.:8080/a': 'http://example.com:8080/a',
      'http://0x7f.1/': 'http://127.0.0.1/',
      'http://[::0:1]:80/': 'http://[::1]/',
    })
    for (const text of ['http://./', 'http://example.com../', 'http://../', 'http://a..:80/'])
      assert.deepEqual(canonical(text), { refusal: 'invalid' }, text)
  })

  test('credentials are dropped, wherever an @ may stand', () => {
    same({
      'http://user:secret@example.com/': 'http://example.com/',
      'http://a@b@example.com./': 'http://example.com/',
      'http://info@example.com:81/@x': 'http://example.com:81/@x',
      'http://example.com/@user': 'http://example.com/@user',
    })
  })

  test('parameters are sorted by name, those of one name in their order, blank ones kept', () => {
    same({
      'http://e.com/?b=2&a=1': 'http://e.com/?a=1&b=2',
      'http://e.com/?b=2&a=9&b=1&a': 'http://e.com/?a=9&a&b=2&b=1',
      'http://e.com/?b=&a&=c': 'http://e.com/?=c&a&b=',
      'http://e.com/?a=1&&b=2&': 'http://e.com/?a=1&b=2',
      'http://e.com/?&': 'http://e.com/',
      'http://e.com/?%62=1&a=2': 'http://e.com/?a=2&b=1',
      'http://e.com/?a=x?y=/z': 'http://e.com/?a=x?y=/z',
      'http://e.com/?a=1;b=2': 'http://e.com/?a=1;b=2',
    })
  })

  test('tracking parameters are dropped, in any case and spelling', () => {
    same({
      'http://e.com/?utm_source=x&id=7&UTM_Medium=y&gclid=1&fbclid=2&_ga=3': 'http://e.com/?id=7',
      'http://e.com/?%75tm_source=x': 'http://e.com/',
      'http://e.com/?utm=1&xutm_source=2': 'http://e.com/?utm=1&xutm_source=2',
      'http://e.com/?gclid': 'http://e.com/',
    })
  })

  test('session ids are dropped from query and path', () => {
    same({
      'http://e.com/?PHPSESSID=abc&p=1': 'http://e.com/?p=1',
      'http://e.com/list;jsessionid=1A2B!-9?p=1': 'http://e.com/list?p=1',
      'http://e.com/a;JSESSIONID=1;v=2/b': 'http://e.com/a;v=2/b',
      'http://e.com/(S(lit3py55t21z5v55vlm25s55))/form.aspx': 'http://e.com/form.aspx',
      'http://e.com/app/(A(0123456789abcdef0123)S(0123456789abcdef0123))/': 'http://e.com/app/',
      'http://e.com/(S(lit3py55t21z5v55vlm25s55))': 'http://e.com/',
      [`http://e.com/?sid=${ID}`]: 'http://e.com/',
      [`http://e.com/x;sid=${ID}`]: 'http://e.com/x',
    })
  })

  test('what only resembles a session id is kept', () => {
    same({
      'http://e.com/?sid=12': 'http://e.com/?sid=12',
      'http://e.com/?s=how+to+cook+an+egg+in+2+minutes': 'http://e.com/?s=how+to+cook+an+egg+in+2+minutes',
      'http://e.com/?session=keynote-about-crawling': 'http://e.com/?session=keynote-about-crawling',
      'http://e.com/Lisp_(programming_language)': 'http://e.com/Lisp_(programming_language)',
      'http://e.com/map;z=3': 'http://e.com/map;z=3',
      [`http://e.com/?commit=${ID}`]: `http://e.com/?commit=${ID}`,
    })
  })

  test('a segment that is only dots once its session is gone keeps it, so that no path climbs', () => {
    same({ 'http://e.com/a/..;jsessionid=1/b': 'http://e.com/a/..;jsessionid=1/b' })
  })

  test('the lists can be changed', () => {
    const own = canonicalRules(
      urlConfig.parse({ trackingParameters: ['ref*'], dropParameters: ['*_click'], keepParameters: ['refund'] }),
    )
    const { url } = canonicalUrl('http://e.com/?utm_source=a&refund=b&referrer=c&x_click=d', undefined, own)
    assert.equal(url, 'http://e.com/?refund=b&utm_source=a')
  })

  test('with every rule off, only what no server sees is lost: fragment, credentials, the spelling of escapes', () => {
    const none = canonicalRules(
      urlConfig.parse({
        ...{ trackingParameters: [], sessionParameters: [], sessionParametersIfId: [] },
        ...{ tidyQuery: false, dropRootDot: false, dropPathSessions: false },
      }),
    )
    const part = fc.constantFrom(
      ...['a', 'B', '/', '//', '.', '%2F', '%2f', '&', '&&', '=', ';', '?', '+', '%20', '~', '%7E', '@', ':', '*', '%'],
      ...[';jsessionid=1', 'utm_source=x', "'", '(', ')', '[', '|', 'é', '(S(lit3py55t21z5v55vlm25s55))'],
    )
    const parts = fc.array(part, { maxLength: 8 }).map((list) => list.join(''))
    fc.assert(
      fc.property(fc.constantFrom('', '.'), parts, fc.option(parts), (dot, path, query) => {
        const tail = `/${path.replaceAll('?', '')}${query === null ? '' : `?${query}`}`
        const { url } = canonicalUrl(`https://u:p@e.com${dot}${tail}#x`, undefined, none)
        const sent = new URL(`https://e.com${dot}${tail}`)
        assert.equal(url, `https://e.com${dot}${normalizeEscapes(sent.href.slice(sent.origin.length))}`)
        assert.equal(canonicalUrl(url!, undefined, none).url, url)
      }),
      { numRuns: 3000 },
    )
  })

  test('a query can be left in its order', () => {
    const kept = canonicalRules(urlConfig.parse({ tidyQuery: false }))
    const read = (text: string) => canonicalUrl(text, undefined, kept).url
    assert.equal(read('http://e.com/?b=2&&a=1&'), 'http://e.com/?b=2&&a=1&')
    assert.equal(read('http://e.com/?b=2&utm_source=x&a=1'), 'http://e.com/?b=2&a=1')
    assert.equal(read('http://e.com/?utm_source=x'), 'http://e.com/')
    assert.equal(read('http://e.com/?'), 'http://e.com/?')
    assert.notEqual(read('http://e.com/?b&a'), read('http://e.com/?a&b'))
  })

  test('relative references are resolved against their base', () => {
    assert.deepEqual(canonical('../c?x#y', 'http://e.com/a/b/'), { url: 'http://e.com/a/c?x' })
    assert.deepEqual(canonical('//o.com', 'https://e.com/'), { url: 'https://o.com/' })
    assert.deepEqual(canonical('', 'https://e.com/a#b'), { url: 'https://e.com/a' })
  })

  test('only http and https are URLs of a crawl', () => {
    for (const text of ['mailto:a@b.c', 'javascript:void(0)', 'ftp://e.com/', 'data:text/html,x', 'httpx://e.com/'])
      assert.deepEqual(canonical(text, 'http://e.com/'), { refusal: 'scheme' }, text)
  })

  test('what is no URL is refused, not thrown', () => {
    for (const text of [
      '',
      'a b',
      'http://',
      'http://a b/',
      '/path',
      'http://e.com:99999/',
      'http://[1]/',
      'http://%00/',
    ])
      assert.deepEqual(canonical(text), { refusal: 'invalid' }, text)
    assert.deepEqual(canonical('a', 'not a base'), { refusal: 'invalid' })
  })

  test('a URL may be as long as the limit, in canonical form', () => {
    const longest = `http://e.com/${'a'.repeat(2048 - 13)}`
    assert.equal(canonical(longest).url, longest)
    assert.deepEqual(canonical(`${longest}a`), { refusal: 'too-long' })
    assert.equal(canonical(`${longest}?utm_source=x`).url, longest)
    assert.deepEqual(canonical('x'.repeat(10_000_000), 'http://e.com/'), { refusal: 'too-long' })
  })

  test('the canonical form of a canonical form is itself, and it is a URL to every parser', () => {
    const nasty = fc.constantFrom(
      ...[
        '%',
        '%2e',
        '%2E',
        '%36',
        '%25',
        '.',
        '..',
        '/',
        '//',
        ';',
        ';jsessionid=1',
        '(S(lit3py55t21z5v55vlm25s55))',
        '?',
      ],
      ...[
        '&',
        '=',
        '#',
        '@',
        ':',
        'a',
        'B',
        '~',
        '|',
        '[',
        ']',
        '\\',
        ' ',
        '+',
        "'",
        'é',
        '\ud800',
        'utm_x=1',
        `sid=${ID}`,
      ],
      ...['(', ')', '\u0000', '%zz', '%c3%a9'],
    )
    const text = fc.oneof(
      fc.array(nasty, { maxLength: 14 }).map((parts) => `http://e.com/${parts.join('')}`),
      fc.array(nasty, { maxLength: 8 }).map((parts) => `https://${parts.join('')}e.com.${parts.join('')}`),
      fc.webUrl({ withFragments: true, withQueryParameters: true }),
      fc.string({ unit: 'binary' }),
    )
    fc.assert(
      fc.property(text, (input) => {
        const first = canonical(input)
        if (first.url === undefined) return
        assert.deepEqual(canonical(first.url), first)
        assert.equal(new URL(first.url).href, first.url)
      }),
      { numRuns: 5000 },
    )
  })
})
