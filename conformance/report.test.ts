import assert from 'node:assert/strict'
import { test } from 'node:test'
import { report } from './report.ts'
import { Tally } from './suite.ts'

const suite = { title: 'Rules', subject: '`ours`', repository: 'some/rules', commit: 'abc' }

test('a row has the cases, what passed, the exceptions and the faults', () => {
  const tally = new Tally()
  for (let i = 0; i < 1200; i++) tally.check(true, 'sound')
  for (let i = 0; i < 7; i++) tally.check(false, `odd ${i}`, 'it is odd')
  tally.check(false, 'wrong')
  const page = report([{ ...suite, tally }], undefined)
  assert.match(page, /\| Rules \| `ours` \| 1,208 \| 1,200 \| 7 \| 1 \|/)
  assert.match(page, /- 7 × it is odd:\n {2}- `odd 0`/)
  assert.match(page, /and 2 more/)
  assert.match(page, /- 1 without a reason:\n {2}- `wrong`/)
})

test('a suite that is not there is named, and not counted', () => {
  assert.match(report([{ ...suite, tally: undefined }], undefined), /\| Rules \| `ours` \| not on the machine/)
})

test('no case can break the page it is shown on', () => {
  const tally = new Tally()
  tally.check(false, '`</x>\n# heading\u2028\x1b[31m', 'odd')
  const line = report([{ ...suite, tally }], undefined)
    .split('\n')
    .find((text) => text.includes('</x>'))
  assert.equal(line, '  - ` </x> # heading  [31m`')
})
