import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { compileGlob, globMatches } from './glob.ts'

test('a glob finds what a regular expression of the same meaning finds', () => {
  const pattern = fc.string({ unit: fc.constantFrom('a', 'b', '*'), maxLength: 8 })
  const text = fc.string({ unit: fc.constantFrom('a', 'b'), maxLength: 10 })
  fc.assert(
    fc.property(pattern, text, fc.boolean(), (star, subject, anchored) => {
      const expected = new RegExp(`^${star.replace(/\*+/g, '.*')}${anchored ? '$' : ''}`).test(subject)
      assert.equal(globMatches(compileGlob(star, anchored), subject), expected)
    }),
    { numRuns: 3000 },
  )
})

test('many stars against a long text end', () => {
  const glob = compileGlob(`${'*a'.repeat(500)}*b`, true)
  assert.equal(globMatches(glob, 'a'.repeat(5000)), false)
})
