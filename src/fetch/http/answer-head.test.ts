import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { readAnswerHead } from './answer-head.ts'

describe('a head that is not as it should be is read as browsers read it, and ends its connection', () => {
  for (const [name, lines, body] of [
    ['a line without a colon', ['Bad', 'Content-Length: 5'], 5],
    ['a line without a name', [': b', 'Content-Length: 5'], 5],
    ['a name that is none', ['A(b): c', 'Content-Length: 5'], 5],
    ['a space before the colon', ['Content-Length : 5'], 5],
    ['a fold of nothing', [' folded', 'Content-Length: 5'], 5],
    ['a length twice', ['Content-Length: 5', 'content-length: 5'], 5],
    ['a length in a list', ['Content-Length: 5, 5 ,5'], 5],
    ['a length with a sign', ['Content-Length: +5'], 'until-close'],
    ['a length below nothing', ['Content-Length: -5'], 'until-close'],
    ['a length in words', ['Content-Length: many'], 'until-close'],
    ['no length at all', ['Content-Length:'], 'until-close'],
    ['a length beyond all numbers', [`Content-Length: ${'9'.repeat(30)}`], 'until-close'],
    ['a length beside chunks', ['Content-Length: 3', 'Transfer-Encoding: chunked'], 'chunked'],
    ['lengths that differ beside chunks', ['Content-Length: 3, 4', 'Transfer-Encoding: chunked'], 'chunked'],
    ['a length beside a coding without end', ['Content-Length: 3', 'Transfer-Encoding: gzip'], 'until-close'],
  ] as const)
    test(name, () => {
      const head = readAnswerHead(['HTTP/1.1 200 OK', ...lines].join('\r\n'))
      assert.ok(typeof head === 'object', `${head}`)
      assert.deepEqual([head.status, head.body, head.keepsAlive], [200, body, false])
    })

  test('as it should be, the connection goes on', () => {
    for (const lines of [['Content-Length: 5'], ['Transfer-Encoding: chunked'], ['A:', 'Content-Length:  5 ']]) {
      const head = readAnswerHead(['HTTP/1.1 200 OK', ...lines].join('\r\n'))
      assert.ok(typeof head === 'object' && head.keepsAlive, lines.join())
    }
  })

  test('lengths that differ are refused', () => {
    for (const lines of ['Content-Length: 5\r\nContent-Length: 9', 'Content-Length: 5, 9', 'Content-Length: 5,'])
      assert.match(`${readAnswerHead(`HTTP/1.1 200 OK\r\n${lines}`)}`, /^Content-Length: 5/)
  })
})

test('an answer is read the same, whatever lines it shares with those before', () => {
  const read = (...lines: string[]) => {
    const head = readAnswerHead(['HTTP/1.1 200 OK', ...lines].join('\r\n'))
    assert.ok(typeof head === 'object', `${head}`)
    return head.headers
  }
  const plain: [string, string][] = [
    ['Server', 'a'],
    ['Content-Length', '5'],
  ]
  assert.deepEqual(read('Server: a', 'Content-Length: 5'), plain)
  assert.deepEqual(read('Server: a', ' folded', 'Content-Length: 5'), [['Server', 'a folded'], plain[1]!])
  assert.deepEqual(read('Server: a', 'Content-Length: 5'), plain)
  assert.deepEqual(read('Server: b', 'Content-Length: 5'), [['Server', 'b'], plain[1]!])
  assert.deepEqual(read('Server : a', 'Content-Length: 5'), plain)
  assert.deepEqual(read('Content-Length: 5', 'Server: a'), plain.toReversed())
})
