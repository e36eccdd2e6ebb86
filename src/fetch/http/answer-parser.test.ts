import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { AnswerParser } from './answer-parser.ts'

const page = 'HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 5\r\n\r\nhello'
const goOn = 'HTTP/1.1 100 Continue\r\nServer: old\r\n\r\n'
const chunked = 'HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip, chunked\r\n\r\n'

/** What comes of bytes in these pieces, in one line. */
function read(pieces: readonly string[], isClosed = false, maxHeadBytes = 1000): string {
  const seen: string[] = []
  let body = ''
  const parser = new AnswerParser(maxHeadBytes, {
    head: ({ status, statusText, headers }) => void seen.push(`${status} ${statusText} ${JSON.stringify(headers)}`),
    piece: (bytes) => void (body += bytes.toString('latin1')),
    end: (isClean) => void seen.push(isClean ? 'clean' : 'unclean'),
  })
  parser.begin()
  for (const piece of pieces) {
    const fault = parser.take(Buffer.from(piece, 'latin1'))
    if (fault !== undefined) return [...seen, body, `fault: ${fault}`].join(' | ')
  }
  if (isClosed && !parser.close()) seen.push('early')
  return [...seen, body].join(' | ')
}

const headers = '[["Content-Type","text/html"],["Content-Length","5"]]'

describe('an answer taken apart', () => {
  test('it does not matter in which pieces it comes', () => {
    for (const whole of [
      goOn + goOn + page,
      `${chunked}3;x=y\r\nhel\r\n00002\r\nlo\r\n0\r\nX: y\r\n\r\n`,
      '\r\nHTTP/1.0 404\r\nA:\tb \r\n c\r\n\r\nhello',
      'HTTP/1.1 200 OK\nContent-Length: 5\n\nhello',
    ]) {
      const expected = read([whole], true)
      assert.match(expected, /hello/)
      for (let first = 0; first <= whole.length; first++)
        for (const second of [first, first + 1, first + 7, whole.length])
          assert.equal(
            read([whole.slice(0, first), whole.slice(first, second), whole.slice(second)], true),
            expected,
            `parted at ${first} and ${second}`,
          )
      assert.equal(read([...whole], true), expected, 'byte by byte')
    }
  })

  test('interim answers are passed over, ten that say to go on and any others', () => {
    assert.equal(read([goOn.repeat(10) + page]), `200 OK ${headers} | clean | hello`)
    assert.match(read([goOn.repeat(11) + page]), /fault: 100 Continue without end/)
    assert.equal(read(['HTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\n'.repeat(20) + page]), read([page]))
    assert.match(read(['HTTP/1.1 101 S\r\nConnection: x, Upgrade\r\n\r\n']), /fault: a change of protocol/)
  })

  test('lines may end without CR, and values may be folded', () => {
    assert.equal(
      read(['HTTP/1.1 200\nA: b\n  c\n\td \nContent-Length: 2\n\nok']),
      read(['HTTP/1.1 200\r\nA: b c d\r\nContent-Length: 2\r\n\r\nok']),
    )
  })

  test('an answer without a length ends with the connection, others are cut by it', () => {
    assert.equal(read(['HTTP/1.1 200 OK\r\n\r\nhel', 'lo'], true), '200 OK [] | clean | hello')
    assert.match(read(['HTTP/1.1 200 OK\r\nTransfer-Encoding: identity\r\n\r\nhello'], true), /clean \| hello$/)
    assert.match(read([page.slice(0, -1)], true), /early \| hell$/)
    assert.match(read([`${chunked}5\r\nhello\r\n`], true), /early \| hello$/)
    assert.match(read([page.slice(0, 30)], true), /^early/)
  })

  test('answers that have no body have none', () => {
    for (const status of [204, 304])
      assert.equal(read([`HTTP/1.1 ${status} X\r\nA: b\r\n\r\n`]), `${status} X [["A","b"]] | clean | `)
  })

  test('what follows an answer does not belong to it', () => {
    assert.equal(read([`${page}HTTP/1.1 200 OK\r\n\r\n`]), `200 OK ${headers} | unclean | hello`)
    assert.match(read([page, 'more']), /clean \| hello \| fault: bytes that belong to no answer/)
  })

  for (const [name, sent] of [
    ['a head without end', `HTTP/1.1 200 OK\r\n${'X: y\r\n'.repeat(1000)}`],
    ['one line without end', `HTTP/1.1 200 OK\r\nX: ${'y'.repeat(2000)}`],
    ['trailers without end', `${chunked}0\r\n${'X: y\r\n'.repeat(1000)}`],
    ['a chunk extension without end', `${chunked}5;${'x'.repeat(5000)}`],
    ['another protocol, told at its first bytes', 'SSH'],
    ['another version', 'HTTP/2.0 200 OK\r\n\r\n'],
    ['a status of two digits', 'HTTP/1.1 99 X\r\n\r\n'],
    ['CR within a value', 'HTTP/1.1 200 OK\r\nA: b\rContent-Length: 5\r\n\r\n'],
    ['a chunk of no size', `${chunked}\r\nhello`],
    ['a chunk with a sign', `${chunked}-5\r\nhello`],
    ['a chunk with 0x', `${chunked}0x5\r\nhello`],
    ['a chunk beyond all numbers', `${chunked}${'f'.repeat(20)}\r\nhello`],
    ['a chunk longer than it says', `${chunked}2\r\nhello\r\n0\r\n\r\n`],
  ] as const)
    test(`${name} is no answer`, () => {
      assert.match(read([sent]), /fault: /)
      assert.match(read([...sent]), /fault: /, 'byte by byte')
    })

  test('who has enough within a piece hears nothing more', () => {
    let pieces = 0
    const parser = new AnswerParser(1000, {
      head: () => {},
      piece: () => {
        pieces++
        parser.stop()
      },
      end: () => assert.fail('it was given up'),
    })
    for (const sent of [page, `${chunked}2\r\nab\r\n2\r\ncd\r\n0\r\n\r\n`]) {
      parser.begin()
      parser.take(Buffer.from(sent))
    }
    assert.equal(pieces, 2)
  })
})
