import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { compileExpression } from './expression.ts'

describe('expressions', () => {
  test('agree with the regular expressions of the language', () => {
    const piece = fc.constantFrom(
      ...['a', 'b', '/', '\\d', '\\w', '.', '[ab]', '[^a]', '[a-c\\d]', '[^\\w-]', '^', '$', '\\b', '\\B', '1', '\\/'],
      ...['*', '+', '?', '*?', '{2}', '{1,}', '{0,2}', '|', '(', ')', '(?:', '\\.', '-', 'ab', '[\\]]', '[a-]'],
    )
    const source = fc.array(piece, { maxLength: 9 }).map((pieces) => pieces.join(''))
    const text = fc.string({ unit: fc.constantFrom('a', 'b', 'c', '1', '/', '.', '-', ']'), maxLength: 8 })
    let compared = 0
    fc.assert(
      fc.property(source, fc.array(text, { minLength: 5, maxLength: 5 }), (pattern, texts) => {
        let native: RegExp
        try {
          native = new RegExp(pattern)
        } catch {
          assert.throws(() => compileExpression(pattern), SyntaxError)
          return
        }
        const expression = compileExpression(pattern)
        for (const one of texts) assert.equal(expression.matches(one), native.test(one), `${pattern} on ${one}`)
        compared++
      }),
      { numRuns: 5000 },
    )
    assert.ok(compared > 500)
  })

  test('patterns that make others hang are answered at once', () => {
    const text = `${'a'.repeat(2047)}!`
    for (const source of ['(a+)+$', '(a|a)*b', '(a*)*b', 'a*a*a*a*a*a*a*b', '(.*)(.*)(.*)(.*)x$', '(a?){100}b'])
      assert.equal(compileExpression(source).matches(text), false, source)
  })

  test('texts that need more states than are kept are still answered rightly', () => {
    const source = 'a.{12}b.{3}$'
    const expression = compileExpression(source)
    const native = new RegExp(source)
    const text = fc.string({ unit: fc.constantFrom('a', 'b'), minLength: 100, maxLength: 200 })
    fc.assert(fc.property(text, (one) => assert.equal(expression.matches(one), native.test(one))))
  })

  test('characters beyond ASCII are sought as URLs hold them', () => {
    assert.equal(compileExpression('/café/').matches('https://e.com/caf%C3%A9/'), true)
  })

  test('an expression can be asked again and again', () => {
    const expression = compileExpression('^/a+$')
    for (let round = 0; round < 3; round++) {
      assert.equal(expression.matches('/aaa'), true)
      assert.equal(expression.matches('/aab'), false)
    }
  })

  test('what cannot be matched in linear time, or is too large, is refused with its reason', () => {
    for (const [source, reason] of [
      ['(a)\\1', /back-references/],
      ['(?=a)', /look-around/],
      ['(?<!a)', /look-around/],
      ['a{1000}', /too large/],
      ['((a{30}){30}){30}', /too large/],
      ['x'.repeat(2000), /too long/],
      ['('.repeat(200) + ')'.repeat(200), /nested/],
      ['(', /nterminated|closed/],
      ['[é]', /class/],
      ['\\u0041', /not supported/],
    ] as const)
      assert.throws(() => compileExpression(source), { name: 'SyntaxError', message: reason }, source)
  })

  test('named groups are groups', () => {
    assert.equal(compileExpression('^(?<year>\\d{4})$').matches('2026'), true)
  })
})
