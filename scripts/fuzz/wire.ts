import { deflateSync, gzipSync } from 'node:zlib'
import { AnswerParser } from '../../src/fetch/http/answer-parser.ts'
import { codingsOf } from '../../src/fetch/http/codings.ts'
import { decodeBody } from '../../src/fetch/http/decode-body.ts'
import { redirectTarget } from '../../src/fetch/http/redirects.ts'
import { headersReceived } from '../../src/fetch/http/response-headers.ts'
import { parseConfig } from '../../src/parse/config.ts'
import { charsetParameter } from '../../src/parse/declared-charset.ts'
import { readDirectives } from '../../src/parse/directives.ts'
import { sniffKind } from '../../src/parse/kind.ts'
import { parseRetryAfter } from '../../src/politeness/pace.ts'
import { gzipMember, memberStart, readMember } from '../../src/store/warc-gzip.ts'
import { parseHttpResponse } from '../../src/store/warc-http.ts'
import { parseWarcRecord } from '../../src/store/warc-parse.ts'
import { buffers, type Part, promise } from './part.ts'

const { obey } = parseConfig.parse({})

/** Values of headers, as Node hands them over: bytes as Latin-1. */
export const headers: Part = {
  name: 'headers',
  corpus: buffers(
    'text/html; charset="utf-8"',
    'Wed, 21 Oct 2026 07:28:00 GMT',
    '120',
    'googlebot: noindex, orbweaver: nofollow, unavailable_after: Wed, 25 Jun 2026 15:00:00 GMT',
    'https://a.test/é?x#y',
    'gzip, br, x-gzip',
  ),
  words: [
    ';',
    ',',
    ':',
    '"',
    "'",
    '=',
    'charset',
    'noindex',
    'none',
    'gzip',
    'deflate',
    '//',
    'é',
    ' GMT',
    '9999999999',
  ],
  read(input) {
    const value = input.toString('latin1')
    headersReceived(['location', value, value.slice(0, 50), value])
    redirectTarget(302, [['Location', value]], 'https://a.test/')
    const wait = parseRetryAfter(value, Date.UTC(2026, 0))
    promise(wait === null || (wait >= 0 && wait <= 86_400_000), 'a wait is at most a day')
    charsetParameter(value)
    codingsOf(value)
    readDirectives([value], [value], obey, Date.UTC(2026, 0))
    sniffKind(input, value)
  },
}

const GO_ON = 'HTTP/1.1 100 Continue\r\n\r\n'

/** Answers of HTTP/1, in two pieces. */
export const answers: Part = {
  name: 'answers',
  corpus: buffers(
    `${GO_ON}HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello`,
    'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5;x\r\nhello\r\n0\r\nX: y\r\n\r\n',
    'HTTP/1.0 404 Not\nA: b\n c\n\nhello',
  ),
  words: [GO_ON, 'HTTP/1.1 ', '100', '204', '\r\n\r\n', '\r\n', '\n', 'Content-Length: ', 'chunked', '0\r\n', ' ', ':'],
  read(input) {
    const half = input.length >> 1
    const whole = partsOf(input)
    promise(partsOf(input.subarray(0, half), input.subarray(half)) === whole, 'it does not matter where bytes part')
    promise(whole.length <= 8 * input.length + 200, 'nothing comes of nothing')
  },
}

/** What an answer in these pieces is taken for. */
function partsOf(...pieces: readonly Buffer[]): string {
  let head = ''
  let body = ''
  let isOver = false
  const parser = new AnswerParser(2000, {
    head: ({ status, headers }) => void (head = `${status} ${JSON.stringify(headers)}`),
    piece: (bytes) => void (body += bytes.toString('latin1')),
    end: () => void (isOver = true),
  })
  parser.begin()
  for (const piece of pieces) {
    const fault = parser.take(piece)
    // What follows an answer, and how much of a broken one is told, hangs on where it parts.
    if (isOver) break
    if (fault !== undefined) return 'broken'
  }
  return `${head} ${body} ${isOver || parser.close()}`
}

const PAGE = Buffer.from('<p>hello '.repeat(200))
const limits = { maxBytes: 1_000_000, maxInflation: 100 }
const CODINGS = ['gzip', 'deflate', 'br', 'gzip, deflate', 'zstd']

export const encoding: Part = {
  name: 'content-encoding',
  corpus: [
    gzipSync(PAGE),
    deflateSync(PAGE),
    gzipSync(gzipSync(PAGE)),
    Buffer.concat([gzipSync(PAGE), gzipSync(PAGE)]),
    PAGE,
  ],
  words: ['\x1f\x8b\x08', '\x78\x9c', '\0\0\0\0', '\xff\xff'],
  async read(input) {
    const coding = CODINGS[input.length % CODINGS.length]!
    const decoded = await decodeBody(input, coding, limits)
    if (decoded.kind === 'decoded') promise(decoded.body.length <= limits.maxBytes, 'a body keeps to its limit')
  },
}

const RECORD = Buffer.from(
  'WARC/1.1\r\nWARC-Type: response\r\nContent-Length: 45\r\n\r\nHTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<p>\r\n\r\n',
)

export const warc: Part = {
  name: 'warc',
  corpus: [
    RECORD,
    gzipMember([RECORD], false),
    gzipMember([RECORD, PAGE], true),
    gzipMember([Buffer.alloc(5000)], false),
  ],
  words: ['WARC/1.1\r\n', 'Content-Length: ', '\r\n\r\n', 'HTTP/1.1 200 OK\r\n', '\x1f\x8b\x08\0', '99999999999', ':'],
  read(input) {
    const read = readMember(input, 1_000_000)
    if (read.kind === 'member')
      promise(read.memberBytes > 0 && read.memberBytes <= input.length, 'a member lies within')
    for (const content of [input, read.kind === 'member' ? read.content : memberStart(input.subarray(0, 4096))]) {
      const record = parseWarcRecord(content)
      if (record) promise(record.block.length <= content.length, 'a block lies within')
      parseHttpResponse(record?.block ?? content)
    }
  },
}
