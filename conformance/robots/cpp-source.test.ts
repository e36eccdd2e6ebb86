import assert from 'node:assert/strict'
import { test } from 'node:test'
import { statementsOf, testsOf, tokensOf } from './cpp-source.ts'

const SOURCE = `
// A comment with "text".
TEST(Some, First) {
  const std::string name = "a\\n"  // why
      "\\xEF\\xBB" "ツ;{";
  { EXPECT_TRUE(Ask(name, "")); }
}
TEST(Some, Second) {
}
`

test('tests are found by name', () => {
  assert.deepEqual(
    testsOf(SOURCE).map(({ name }) => name),
    ['First', 'Second'],
  )
})

test('neighbouring texts are one, with the bytes that escapes stand for', () => {
  const [declaration, expectation] = statementsOf(tokensOf(testsOf(SOURCE)[0]!.body))
  const expected = Buffer.concat([Buffer.from('a\n'), Buffer.from([0xef, 0xbb]), Buffer.from('ツ;{')])
  assert.deepEqual(declaration!.at(-1), { kind: 'text', bytes: expected })
  assert.deepEqual(expectation![0], { kind: 'word', word: 'EXPECT_TRUE' })
  assert.deepEqual(expectation!.at(-3), { kind: 'text', bytes: Buffer.alloc(0) })
})
