import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { crawlDelayMs, parseRobots, verdict } from './robots.ts'

const site = 'https://example.com'
const allowed = (file: string | Buffer, path: string, agent = 'orbweaver') =>
  verdict(parseRobots(file), agent, site + path).allowed

const table = (file: string, cases: Record<string, boolean>, agent?: string) => {
  for (const [path, expected] of Object.entries(cases))
    assert.equal(allowed(file, path, agent), expected, `${file} ${path}`)
}

describe('robots groups', () => {
  const file = `user-agent: FooBot
Disallow: /foo
User-agent: barbot/2.0
User-agent: bazbot
Disallow: /bar
Disallow: /baz

user-agent: *
Disallow: /star
User-Agent: foobot
Allow: /foo/ok`

  test('an agent obeys all groups that name it, in any case and whatever the version, and no others', () => {
    table(file, { '/foo': false, '/foo/ok': true, '/bar': true, '/star': true }, 'FOOBOT/1.1 (+https://foo.example)')
    table(file, { '/foo': true, '/bar': false, '/baz': false, '/star': true }, 'BarBot')
    table(file, { '/bar': false }, 'bazbot')
  })

  test('an agent that no group names obeys those for all', () => {
    table(file, { '/foo': true, '/bar': true, '/star': false }, 'orbweaver')
  })

  test('a product token is compared whole', () => {
    table('User-agent: foo\nDisallow: /', { '/': true }, 'foobot')
    table('User-agent: foobot\nDisallow: /', { '/': true }, 'foo')
    table('User-agent: foobot-news\nDisallow: /', { '/': true }, 'foobot')
  })

  test('what is no product token is named by no file', () => {
    const file = 'User-agent: *\nDisallow: /\nUser-agent: Foo Bar\nAllow: /x'
    table(file, { '/x': true }, 'Foo')
    table(file, { '/x': true }, 'foo/2.1 (x y)')
    table(file, { '/x': false }, 'Foo Bar')
    table('User-agent: *\nDisallow: /', { '/x': false }, '')
  })

  test('a group that names the agent and says nothing allows everything', () => {
    table('User-agent: *\nDisallow: /\nUser-agent: orbweaver\nDisallow:', { '/a': true })
    table('User-agent: *\nDisallow: /\n\nUser-agent: orbweaver\n', { '/a': true })
  })

  test('an empty Disallow ends the list of agents', () => {
    table('User-agent: orbweaver\nDisallow:\nUser-agent: b\nDisallow: /', { '/': true })
  })

  test('blank lines, unknown directives, sitemaps and crawl-delays do not end the list of agents', () => {
    table('User-agent: orbweaver\n\nSitemap: x\nHost: y\nCrawl-delay: 1\nUser-agent: b\nDisallow: /', { '/': false })
  })

  test('rules before the first agent speak to nobody', () => {
    table('Disallow: /\nUser-agent: *\nDisallow: /a', { '/': true, '/a': false })
  })

  test('names that begin with a digit are told apart', () => {
    table('User-agent: 360spider\nDisallow: /', { '/': false }, '360Spider')
    table('User-agent: 360spider\nDisallow: /', { '/': true }, '111bot')
  })
})

describe('robots rules', () => {
  test('the longest rule decides, and Allow wins a tie', () => {
    table('User-agent: *\nDisallow: /x/page.html\nAllow: /x/', { '/x/page.html': false, '/x/': true })
    table('User-agent: *\nAllow: /x/page.html\nDisallow: /x/', { '/x/page.html': true, '/x/': false })
    table('User-agent: *\nDisallow: /page\nAllow: /page', { '/page': true })
    table('User-agent: *\nAllow: /page\nDisallow: /*.html', { '/page.html': false, '/page': true })
    table('User-agent: *\nAllow: /$\nDisallow: /', { '/': true, '/page.html': false })
    table('User-agent: *\nDisallow: /p*\nAllow: /p', { '/p': false })
  })

  test('a rule is the beginning of a path, in its case', () => {
    table('User-agent: *\nDisallow: /fish', {
      ...{
        '/fish': false,
        '/fish.html': false,
        '/fish/salmon': false,
        '/fishheads/yummy.html': false,
        '/fish?id=1': false,
      },
      ...{ '/Fish.asp': true, '/catfish': true, '/?id=fish': true },
    })
    table('User-agent: *\nDisallow: /fish/', { '/fish': true, '/fish/': false, '/fish/salmon': false })
    table('User-agent: *\nDisallow: fish', { '/fish': true })
  })

  test('* stands for any text and $ for the end', () => {
    table('User-agent: *\nDisallow: /*.php', {
      ...{ '/index.php': false, '/a/b.php?x': false, '/a.php5': false, '/index.PHP': true, '/': true },
    })
    table('User-agent: *\nDisallow: /*.php$', {
      '/a.php': false,
      '/a.php?x': true,
      '/a.php/': true,
      '/a.php.php': false,
    })
    table('User-agent: *\nDisallow: /fish*.php', { '/fish.php': false, '/fishheads/x.php?y': false, '/Fish.PHP': true })
    table('User-agent: *\nDisallow: *.gif$', { '/a.gif': false })
    table('User-agent: *\nDisallow: /a$b', { '/a$b': false, '/a': true })
    table('User-agent: *\nDisallow: /*?*sort=', { '/l?a=1&sort=x': false, '/l?a=1': true })
    table('User-agent: *\nDisallow: /a**b', { '/axb': false })
    table('User-agent: *\nDisallow: /ab*b$', { '/ab': true, '/abb': false })
  })

  test('an empty Disallow, or an empty file, allows everything', () => {
    table('User-agent: *\nDisallow:', { '/': true })
    table('', { '/': true })
  })

  test('/robots.txt itself is always allowed', () => {
    table('User-agent: *\nDisallow: /', { '/robots.txt': true, '/robots.txt/x': false, '/': false })
  })

  test('escapes are compared in one spelling', () => {
    table('User-agent: *\nDisallow: /foo/ツ', { '/foo/%E3%83%84': false, '/foo/%e3%83%84': false, '/foo/ツ': false })
    table('User-agent: *\nDisallow: /%62%61%7A', { '/baz': false })
    table('User-agent: *\nDisallow: /baz', { '/%62az': false })
    table('User-agent: *\nDisallow: /a%2fb', { '/a%2Fb': false, '/a/b': true })
    table('User-agent: *\nDisallow: /?q=http://x', { '/?q=http://x': false })
    table('User-agent: *\nDisallow: /a[1]|', { '/a%5B1%5D%7C': false })
  })

  test('the length of a rule is that of its octets, escaped where they are beyond ASCII', () => {
    table('User-agent: *\nAllow: /é*\nDisallow: /*aaaaaaa', { '/éaaaaaaa': false })
    table('User-agent: *\nAllow: /éé\nDisallow: /*aaaaaaaaa', { '/ééaaaaaaaaa': true })
    table('User-agent: *\nAllow: /[x]\nDisallow: /[x*]', { '/[x]': false })
    table('User-agent: *\nAllow: /%61%62\nDisallow: /abcdef', { '/abcdef': true })
  })

  test('bytes that are no UTF-8 are compared as escapes', () => {
    const latin = Buffer.from('User-agent: *\nDisallow: /caf\xe9/\nDisallow: /ü\xc3\nAllow: /\xfc\n', 'latin1')
    assert.equal(allowed(latin, '/caf%E9/x'), false)
    assert.equal(allowed(latin, '/caf%C3%A9/x'), true)
    assert.equal(allowed(latin, '/%FC%C3'), false)
    assert.equal(verdict(parseRobots(latin), 'x', `${site}/%fc`).rule, 'Allow: /%FC')
  })

  test('allowing index.html allows its folder', () => {
    table('User-agent: *\nDisallow: /\nAllow: /d/index.html', {
      ...{ '/d/': true, '/d/index.html': true, '/d': false, '/d/x': false, '/index.htm': false },
    })
  })

  test('a verdict names its rule and line', () => {
    const rules = parseRobots('# hello\nUser-agent: *\nDisallow: /private # keep out\nAllow: /private/door')
    assert.deepEqual(verdict(rules, 'x', `${site}/private/a`), { allowed: false, rule: 'Disallow: /private', line: 3 })
    assert.deepEqual(verdict(rules, 'x', `${site}/private/door`), {
      allowed: true,
      rule: 'Allow: /private/door',
      line: 4,
    })
    assert.deepEqual(verdict(rules, 'x', `${site}/`), { allowed: true, rule: null, line: null })
  })

  test('fragment, missing path and missing scheme do not matter to a verdict', () => {
    const rules = parseRobots('User-agent: *\nDisallow: /?q\nDisallow: /a')
    for (const url of ['https://e.com?q', 'https://e.com/a#b', 'e.com/a'])
      assert.equal(verdict(rules, 'x', url).allowed, false)
    for (const url of ['//e.com/a', '/a', 'e.com?q', 'a/a', 'https://e.com/a?u=x://y'])
      assert.equal(verdict(rules, 'x', url).allowed, false, url)
    for (const url of ['https://e.com#/a', 'https://e.com', '', 'e.com/b?u=http://x.com/a', 'e.com;a'])
      assert.equal(verdict(rules, 'x', url).allowed, true)
  })
})

describe('robots files as they are found', () => {
  test('line ends of every kind, a byte order mark and spaces are understood', () => {
    for (const end of ['\n', '\r', '\r\n'])
      assert.equal(allowed(`\ufeff  User-Agent :\t* ${end}${end} DISALLOW : /a  ${end}`, '/a'), false)
    assert.equal(allowed(Buffer.from([0xef, 0xbb, 0xbf, ...Buffer.from('User-agent: *\nDisallow: /')]), '/a'), false)
    assert.equal(verdict(parseRobots('\r\n\r\nUser-agent: *\r\nDisallow: /a'), 'x', `${site}/a`).line, 4)
  })

  test('a byte order mark may be cut short, and stands at the beginning only', () => {
    const rest = Buffer.from('User-agent: *\nDisallow: /')
    for (const mark of [[0xef], [0xef, 0xbb], [0xef, 0xbb, 0xbf]])
      assert.equal(allowed(Buffer.concat([Buffer.from(mark), rest]), '/a'), false)
    assert.equal(allowed(Buffer.concat([Buffer.from([0xef, 0x11, 0xbf]), rest]), '/a'), true)
    assert.equal(allowed('User-agent: *\n\ufeffDisallow: /', '/a'), true)
    assert.equal(allowed('User-agent: *\n\u00a0Disallow: /', '/a'), true)
  })

  test('a line is read up to 16,663 bytes, and up to a NUL', () => {
    const path = `/${'a'.repeat(16_663 - 'Disallow: /'.length)}`
    table(`User-agent: *\nDisallow: ${path}bcd`, { [path]: false, [path.slice(1)]: true, [`${path}x`]: false })
    table(`User-agent: *\nDisallow: ${path.slice(0, -1)}é`, { [`${path.slice(0, -1)}%C3%A8`]: false })
    table('User-agent: *\nDisallow: /a\0b', { '/ac': false, '/b': true })
  })

  test('common misspellings are understood', () => {
    for (const typo of ['dissallow', 'dissalow', 'disalow', 'diasllow', 'disallaw', 'Disallow '])
      for (const agent of ['useragent', 'user agent', 'USER-AGENT'])
        assert.equal(allowed(`${agent}: *\n${typo}: /`, '/a'), false, `${agent} ${typo}`)
    assert.equal(allowed('User-agent *\nDisallow /a', '/a'), false)
    assert.equal(allowed('User-agent: *\nDisallow /a /b', '/a'), true)
    assert.equal(allowed('User-agent: * # all of you\nDisallow: /', '/a'), false)
  })

  test('a page of HTML has no rules', () => {
    for (const start of ['<!DOCTYPE html>', '\n <html>', '<!-- x -->', '<?xml version="1.0"?>'])
      assert.equal(allowed(`${start}\nUser-agent: *\nDisallow: /`, '/a'), true)
  })

  test('only 500 KiB are read, and a line that the limit cuts is no rule', () => {
    const before = 'User-agent: *\nDisallow: /first\n'
    const filling = `#${'x'.repeat(500 * 1024 - before.length - 'Disallow: /a'.length - 2)}\n`
    const file = `${before}${filling}Disallow: /abc\nDisallow: /late\n`
    for (const form of [file, Buffer.from(file)]) {
      assert.equal(allowed(form, '/first'), false)
      assert.equal(allowed(form, '/a'), true)
      assert.equal(allowed(form, '/abc'), true)
      assert.equal(allowed(form, '/late'), true)
    }
  })

  test('a crawl-delay is a number of seconds, held to a day, of the group that counts for the agent', () => {
    const delay = (value: string, agent = 'x') =>
      crawlDelayMs(parseRobots(`User-agent: *\nCrawl-delay: ${value}`), agent)
    assert.equal(delay('10'), 10_000)
    assert.equal(delay('0.5 # half'), 500)
    assert.equal(delay('.0001'), 1)
    assert.equal(delay('0'), 0)
    assert.equal(delay('99999999999999999999'), 86_400_000)
    for (const text of ['soon', '-1', '1e9', 'NaN', 'Infinity', '', '5 minutes', '1,5,0', 's'])
      assert.equal(delay(text), null, text)
    for (const [text, ms] of Object.entries({ '5 seconds': 5000, '10s': 10_000, '1,5': 1500, '2 Sec': 2000 }))
      assert.equal(delay(text), ms, text)
    const file =
      'User-agent: a\nCrawl-delay: 3\nCrawl-delay: 2\n\nUser-agent: b\nDisallow: /\nUser-agent: *\nCrawl-delay: 9'
    assert.equal(crawlDelayMs(parseRobots(file), 'A/2'), 3000)
    assert.equal(crawlDelayMs(parseRobots(file), 'b'), null)
    assert.equal(crawlDelayMs(parseRobots(file), 'orbweaver'), 9000)
  })

  test('sitemaps are found anywhere, for everyone', () => {
    const file = 'Sitemap: https://e.com/1.xml\nUser-agent: a\nDisallow: /\nsite-map: https://e.com/2.xml\nSITEMAP:'
    assert.deepEqual(parseRobots(file).sitemaps, ['https://e.com/1.xml', 'https://e.com/2.xml'])
  })

  test('no bytes make it throw', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), fc.string({ unit: 'binary' }), (bytes, url) => {
        const rules = parseRobots(Buffer.concat([Buffer.from('User-agent: *\nDisallow: /'), bytes]))
        assert.equal(typeof verdict(rules, url, url).allowed, 'boolean')
        crawlDelayMs(rules, url)
      }),
    )
  })

  test('stars agree with what a backtracking expression finds', () => {
    const pattern = fc.string({ unit: fc.constantFrom('a', 'b', '*', '$', '/'), minLength: 1, maxLength: 10 })
    const path = fc.string({ unit: fc.constantFrom('a', 'b', '$', '/'), maxLength: 12 })
    fc.assert(
      fc.property(pattern, path, (star, rest) => {
        const tied = star.endsWith('$')
        const body = (tied ? star.slice(0, -1) : star).replace(/\$/g, '\\$').replace(/\*+/g, '.*')
        const expected = new RegExp(`^/${body}${tied ? '$' : ''}`).test(`/${rest}`)
        assert.equal(allowed(`User-agent: *\nDisallow: /${star}`, `/${rest}`), !expected)
      }),
      { numRuns: 3000 },
    )
  })

  test('a pattern of many stars against a long path costs no more than reading both', () => {
    const rules = parseRobots(`User-agent: *\n${'Disallow: /*a*a*a*a*a*a*a*a*a*a*a*a*a*a*a*a*b\n'.repeat(200)}`)
    const url = `${site}/${'a'.repeat(2000)}`
    // A backtracking matcher would need 2000^16 steps: this test ends, or it does not.
    assert.equal(verdict(rules, 'x', url).allowed, true)
    assert.equal(verdict(rules, 'x', `${url}b`).allowed, false)
  })
})
