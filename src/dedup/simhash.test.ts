import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { bitCount, distance, simhash } from './simhash.ts'

const NEAR = 3

describe('simhash', () => {
  test('the same text has the same fingerprint of 16 hexadecimal digits, whatever was hashed in between', () => {
    const text = writer(1).prose(300)
    const first = simhash(text)
    simhash(writer(2).prose(5000))
    assert.match(first, /^[0-9a-f]{16}$/)
    assert.equal(simhash(text), first)
  })

  test('a text too short to compare has none', () => {
    assert.equal(simhash(''), '')
    assert.equal(simhash('Page not found. Go back to the start.'), '')
    assert.equal(simhash('!? '.repeat(1000)), '')
  })

  test('case, spacing, punctuation and digits make no difference', () => {
    const text = `Published on 12 May 2024. ${writer(3).prose(100)}`
    assert.equal(simhash(text), simhash(text.toUpperCase().replaceAll(' ', ' \t ').replaceAll('.', ' !')))
    assert.equal(simhash(text), simhash(text.replace('12 May 2024', '31 May 1998')))
  })

  test('the same article with another date and another advertisement is near', () => {
    const far = pairs(1000, (write) => {
      const [menu, article, footer] = [write.menu(), write.prose(400), write.menu()]
      const load = () => [menu, write.words(4), article, write.words(8), footer].join('\n')
      return [load(), load()]
    }).filter((bits) => bits > NEAR)
    assert.ok(far.length <= 10, `${far.length} of 1000 were missed: ${far}`)
  })

  // Three words of 2,000 move 1.3 bits on average, so chance puts 5 or 6 in 100 beyond 3 bits: in the nature of a SimHash.
  test('a long article with a few words edited is near, but for the few that chance moves further', () => {
    const far = pairs(1000, (write) => {
      const words = write.prose(2000).split(' ')
      const edited = words.with(700, 'another').with(701, 'choice').with(1200, 'entirely')
      return [words.join(' '), edited.join(' ')]
    }).filter((bits) => bits > NEAR)
    assert.ok(far.length <= 60, `${far.length} of 1000 were missed: ${far}`)
  })

  for (const [what, menus, words] of [
    ['articles', 1, 400],
    ['short articles in a large template', 5, 80],
    ['very long articles', 1, 8000],
  ] as const)
    test(`different ${what} that share a template are far apart`, () => {
      const bits = pairs(50, (write) => {
        const template = Array.from({ length: menus }, () => write.menu()).join('\n')
        const page = () => [template, write.prose(words), 'All rights reserved, in this world and any other'].join('\n')
        return [page(), page()]
      })
      assert.ok(Math.min(...bits) > NEAR, `${bits}`)
    })

  test('product pages that share template and legal text, with other names and specifications, are far apart', () => {
    const near = pairs(200, (write) => {
      const [menu, legal] = [write.menu(), write.prose(25)]
      const page = () => [menu, ...Array.from({ length: 12 }, () => write.words(3)), legal].join('\n')
      return [page(), page()]
    }).filter((bits) => bits <= NEAR)
    assert.deepEqual(near, [])
  })

  test('scripts without spaces are compared by their characters', () => {
    const first = '東京都は日本の首都であり人口が最も多い都市である。経済と文化の中心として世界に知られている。'.repeat(
      1,
    )
    const more = '江戸時代から続く祭りや寺社が残り、近代的な高層建築と並んで訪れる人々を迎えている。'
    const other = '北海道の冬は長く厳しいが、雪まつりや温泉を目当てに多くの旅行者が国内外からやって来る。'
    assert.ok(distance(simhash(first + more), simhash(`${first}　${more}！`)) <= NEAR)
    assert.ok(distance(simhash(first + more), simhash(other + other.slice(3))) > 10)
  })

  test('whatever the text, the answer is a fingerprint or empty', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 600 }), (text) => /^([0-9a-f]{16})?$/.test(simhash(text))),
    )
  })
})

describe('distance', () => {
  test('counts the bits that differ', () => {
    assert.equal(distance('0000000000000000', 'ffffffffffffffff'), 64)
    assert.equal(distance('8000000000000001', '0000000000000000'), 2)
    assert.equal(distance('fedcba9876543210', 'fedcba9876543210'), 0)
  })

  test('bits of any 32-bit integer are counted', () => {
    fc.assert(fc.property(fc.integer(), (n) => bitCount(n) === (n >>> 0).toString(2).replaceAll('0', '').length))
  })
})

/** Distances of pairs of texts, each pair from its own seed. */
function pairs(count: number, make: (write: Writer) => readonly [string, string]): number[] {
  return Array.from({ length: count }, (_, seed) => {
    const [a, b] = make(writer(seed + 1))
    return distance(simhash(a), simhash(b))
  })
}

type Writer = ReturnType<typeof writer>

/** Writes text whose words are as unevenly frequent as in a natural language, always the same for one seed. */
function writer(seed: number) {
  let state = seed
  const chance = () => {
    state = (Math.imul(state ^ (state >>> 15), 0x2c1b3c6d) + 0x9e3779b9) | 0
    return (mixed(state) >>> 0) / 2 ** 32
  }
  const word = () => VOCABULARY[Math.floor(VOCABULARY.length ** chance()) - 1]!
  const words = (count: number) => Array.from({ length: count }, word).join(' ')
  return {
    words,
    menu: () => Array.from({ length: 30 }, () => words(1 + Math.floor(chance() * 3))).join('\n'),
    prose: (count: number) =>
      Array.from({ length: Math.ceil(count / 50) }, (_, i) => `${words(Math.min(50, count - i * 50))}.`).join('\n'),
  }
}

function mixed(hash: number): number {
  const h = Math.imul(hash ^ (hash >>> 16), 0x7feb352d)
  return Math.imul(h ^ (h >>> 15), 0x846ca68b)
}

const VOCABULARY = Array.from({ length: 5000 }, (_, i) => {
  const digits = (mixed(i + 1) >>> 0).toString(26).slice(0, 2 + (i % 6))
  return digits.replace(/[0-9]/g, (digit) => 'qrstuvwxyz'[Number(digit)]!)
})
