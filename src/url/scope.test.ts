import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { UsageError } from '../config/usage-error.ts'
import type { CanonicalUrl } from './keys.ts'
import { makeScope, type ScopeOptions } from './scope.ts'

const url = (text: string) => text as CanonicalUrl

function scopeOf(scope: ScopeOptions['scope'], seeds: readonly string[], some: Partial<ScopeOptions> = {}) {
  return makeScope({ scope, seeds: seeds.map(url), include: [], exclude: [], privateSuffixes: true, ...some })
}

function check(scope: ReturnType<typeof makeScope>, inside: readonly string[], outside: readonly string[]) {
  for (const text of inside) assert.equal(scope.judge(url(text)), undefined, text)
  for (const text of outside) assert.equal(scope.judge(url(text))?.reason, 'out-of-scope', text)
}

describe('scope', () => {
  test('host: the hosts of the seeds, by http and https, with their ports', () => {
    check(
      scopeOf('host', ['https://example.com/a', 'http://other.org:8080/']),
      ['https://example.com/', 'http://example.com/x', 'http://other.org:8080/y'],
      ['https://www.example.com/', 'https://example.com:8443/', 'http://other.org/', 'https://example.com.evil.org/'],
    )
  })

  test('domain: all hosts under the registrable domains of the seeds', () => {
    check(
      scopeOf('domain', [
        'https://www.example.co.uk/',
        'http://127.0.0.1:81/',
        'http://localhost/',
        'https://me.github.io/',
      ]),
      [
        'https://a.b.example.co.uk:81/',
        'https://example.co.uk/',
        'http://127.0.0.1/',
        'http://localhost:3000/',
        'https://me.github.io/x',
      ],
      [
        'https://other.co.uk/',
        'https://notexample.co.uk/',
        'http://127.0.0.2/',
        'https://you.github.io/',
        'http://a.localhost.com/',
      ],
    )
    const wide = scopeOf('domain', ['https://me.github.io/'], { privateSuffixes: false })
    check(wide, ['https://you.github.io/'], ['https://github.com/'])
  })

  test('prefix: the folders of the seeds', () => {
    check(
      scopeOf('prefix', ['https://e.com/docs/v1/index.html?x=/y/', 'https://e.com/blog/', 'https://f.com/page']),
      ['https://e.com/docs/v1/', 'http://e.com/docs/v1/a/b', 'https://e.com/blog/x', 'https://f.com/any'],
      [
        'https://e.com/docs/v2',
        'https://e.com/docs/v1',
        'https://e.com/',
        'https://e.com/blogs/',
        'https://e.com/?/docs/v1/',
      ],
    )
  })

  test('any: everything', () => {
    check(scopeOf('any', ['https://e.com/']), ['https://elsewhere.org/'], [])
  })

  test('a host that a seed has led to can be added', () => {
    const host = scopeOf('host', ['https://e.com/'])
    host.widen('www.e.com')
    check(host, ['https://e.com/', 'https://www.e.com/x'], ['https://a.e.com/'])
    const prefix = scopeOf('prefix', ['https://e.com/docs/'])
    prefix.widen('www.e.com')
    check(prefix, ['https://www.e.com/docs/x'], ['https://www.e.com/'])
    const domain = scopeOf('domain', ['https://e.com/'])
    domain.widen('www.f.org:81')
    check(domain, ['https://a.f.org/'], [])
  })
})

describe('patterns', () => {
  const reason = (text: string, some: Partial<ScopeOptions>) => scopeOf('any', [], some).judge(url(text))?.reason

  test('with include patterns only URLs that fit one belong', () => {
    const include = ['*/blog/*', '/docs/*', 're:\\.html$']
    for (const text of ['https://e.com/blog/1', 'https://e.com/docs/', 'https://e.com/x.html'])
      assert.equal(reason(text, { include }), undefined, text)
    for (const text of ['https://e.com/', 'https://e.com/x/docs/', 'https://e.com/x.html?a'])
      assert.equal(reason(text, { include }), 'not-included', text)
  })

  test('an exclude pattern wins, and is named', () => {
    const scope = scopeOf('any', [], { include: ['*'], exclude: ['*.pdf', '*?*sort=*'] })
    assert.deepEqual(scope.judge(url('https://e.com/a.pdf')), { reason: 'excluded-by-pattern', detail: '*.pdf' })
    assert.equal(scope.judge(url('https://e.com/a?b=1&sort=x'))?.detail, '*?*sort=*')
    assert.equal(scope.judge(url('https://e.com/a.pdf.html')), undefined)
  })

  test('what is out of scope is so before any pattern is asked', () => {
    const scope = scopeOf('host', ['https://e.com/'], { include: ['*'] })
    assert.equal(scope.judge(url('https://f.com/'))?.reason, 'out-of-scope')
  })

  test('a glob fits the whole of what it speaks of: URL, path, or URL without scheme', () => {
    const fits = (pattern: string, text: string) => reason(text, { exclude: [pattern] }) !== undefined
    assert.ok(fits('https://e.com/a', 'https://e.com/a'))
    assert.ok(!fits('https://e.com/a', 'https://e.com/a/b'))
    assert.ok(fits('e.com/a*', 'http://e.com/abc'))
    assert.ok(!fits('e.com/*', 'https://www.e.com/'))
    assert.ok(fits('*.e.com/*', 'https://www.e.com/'))
    assert.ok(fits('/a*', 'https://e.com/abc?d'))
    assert.ok(!fits('/a', 'https://e.com/a?d'))
    assert.ok(fits('/caf\u00e9/*', 'https://e.com/caf%C3%A9/x'))
    assert.ok(fits('/a.b', 'https://e.com/a.b'))
    assert.ok(!fits('/a.b', 'https://e.com/axb'))
  })

  test('a pattern that cannot be is refused in one sentence that names it', () => {
    for (const pattern of ['re:(', 're:[z-a]', 're:(a)\\1', 're:(?=x)', 'blog', ''])
      assert.throws(
        () => scopeOf('any', [], { exclude: [pattern] }),
        (error) =>
          error instanceof UsageError && error.message.includes(`"${pattern}"`) && !error.message.includes('\n'),
      )
  })
})
