import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Gathering } from './gathering.ts'

function recording(most: number) {
  const calls: { items: readonly number[]; answer: (error?: Error) => void }[] = []
  let idle = 0
  const gathering = new Gathering<number, string>(
    most,
    (items) =>
      new Promise((resolve, reject) => {
        calls.push({ items, answer: (error) => (error ? reject(error) : resolve(items.map((item) => `${item}!`))) })
      }),
    () => idle++,
  )
  return { calls, gathering, idle: () => idle }
}

const nextTurn = () => new Promise((resolve) => setImmediate(resolve))

test('what is asked in one turn is sent together, each gets its own answers', async () => {
  const { calls, gathering, idle } = recording(10)
  const asked = [gathering.add([1, 2]), gathering.add([]), gathering.add([3])]
  await nextTurn()
  assert.deepEqual(
    calls.map(({ items }) => items),
    [[1, 2, 3]],
  )
  calls[0]!.answer()
  assert.deepEqual(await Promise.all(asked), [['1!', '2!'], [], ['3!']])
  await nextTurn()
  assert.equal(idle(), 1)
})

test('what is asked while a call is under way waits for the next, and no call is larger than allowed', async () => {
  const { calls, gathering } = recording(2)
  const first = gathering.add([1])
  await nextTurn()
  const [second, third] = [gathering.add([2, 3]), gathering.add([4])]
  const gone = gathering.gone
  await nextTurn()
  assert.equal(calls.length, 1)
  calls[0]!.answer()
  await first
  await gone
  assert.deepEqual(
    calls.slice(1).map(({ items }) => items),
    [[2, 3], [4]],
  )
  calls[1]!.answer()
  calls[2]!.answer()
  assert.deepEqual(await Promise.all([second, third]), [['2!', '3!'], ['4!']])
})

test('a call that fails is told to all who asked in it, and to nobody else', async () => {
  const { calls, gathering } = recording(10)
  const asked = Promise.allSettled([gathering.add([1]), gathering.add([2])])
  await nextTurn()
  calls[0]!.answer(new Error('away'))
  assert.deepEqual(
    (await asked).map(({ status }) => status),
    ['rejected', 'rejected'],
  )
  const later = gathering.add([3])
  await nextTurn()
  calls[1]!.answer()
  assert.deepEqual(await later, ['3!'])
})
