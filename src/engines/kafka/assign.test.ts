import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assign, type Claim, type Holdings } from './assign.ts'

const topics = new Map([
  ['high', 10],
  ['medium', 20],
  ['low', 40],
])

/** Joins again and again, as members do who lost something, until nothing moves. Answers every assignment on the way. */
function rounds(claims: readonly Claim[], partitions = topics): Map<string, Holdings>[] {
  const seen: Map<string, Holdings>[] = []
  for (let round = 1; round < 10; round++) {
    const given = assign(claims, partitions)
    seen.push(given)
    const moved = claims.some(({ member, holds }) => sizeOf(given.get(member)!) !== sizeOf(holds))
    if (!moved) return seen
    claims = claims.map(({ member }) => ({ member, generation: round, holds: given.get(member)! }))
  }
  assert.fail('it never comes to rest')
}

const sizeOf = (holds: Holdings) => [...holds.values()].flat().length
const join = (...members: string[]): Claim[] =>
  members.map((member) => ({ member, generation: -1, holds: new Map<string, number[]>() }))
const holding = (given: Map<string, Holdings>, generation = 1): Claim[] =>
  [...given].map(([member, holds]) => ({ member, generation, holds }))

test('every member gets the same share of every topic, and every partition has one owner', () => {
  for (const count of [1, 2, 3, 7, 10, 40]) {
    const members = Array.from({ length: count }, (_, n) => `m${n}`)
    const given = rounds(join(...members)).at(-1)!
    for (const [topic, partitions] of topics) {
      const shares = [...given.values()].map((holds) => holds.get(topic) ?? [])
      assert.deepEqual(
        shares.flat().sort((a, b) => a - b),
        Array.from({ length: partitions }, (_, n) => n),
      )
      const sizes = shares.map(({ length }) => length)
      assert.ok(Math.max(...sizes) - Math.min(...sizes) <= 1)
    }
  }
})

test('a partition is handed on only after its owner has let it go', () => {
  const [alone] = rounds(join('a'))
  const before = alone!.get('a')!
  for (const given of rounds([...holding(alone!), ...join('b')])) {
    const owned = given.get('a')!.get('low')!
    for (const partition of given.get('b')!.get('low')!) assert.ok(!owned.includes(partition))
  }
  const [first, ...later] = rounds([...holding(alone!), ...join('b')])
  assert.deepEqual(first!.get('b')!.get('low'), [], 'not yet: all are held')
  assert.equal(later.at(-1)!.get('b')!.get('low')!.length, 20)
  assert.ok(
    later
      .at(-1)!
      .get('a')!
      .get('low')!
      .every((partition) => before.get('low')!.includes(partition)),
  )
})

test('when a member goes, the others keep all they had', () => {
  const given = rounds(join('a', 'b', 'c')).at(-1)!
  const left = holding(given).filter(({ member }) => member !== 'b')
  const [after] = rounds(left)
  for (const { member, holds } of left)
    for (const [topic, partitions] of holds)
      for (const partition of partitions) assert.ok(after!.get(member)!.get(topic)!.includes(partition))
})

test('of two who claim a partition neither gets it before the other has let it go', () => {
  const claims: Claim[] = [
    { member: 'a', generation: 3, holds: new Map([['low', [0, 1]]]) },
    { member: 'b', generation: 5, holds: new Map([['low', [1, 2]]]) },
  ]
  const partitions = new Map([['low', 3]])
  const [first] = rounds(claims, partitions)
  assert.ok(!first!.get('a')!.get('low')!.includes(1))
  assert.ok(!first!.get('b')!.get('low')!.includes(1))
  const last = rounds(claims, partitions).at(-1)!
  assert.equal([...last.values()].flatMap((holds) => holds.get('low')!).length, 3)
})

test('partitions that are no more are not given', () => {
  const claims: Claim[] = [{ member: 'a', generation: 1, holds: new Map([['low', [0, 7]]]) }]
  assert.deepEqual(
    assign(claims, new Map([['low', 2]]))
      .get('a')!
      .get('low'),
    [0, 1],
  )
})
