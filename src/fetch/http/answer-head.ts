import type { Header } from '../outcome.ts'

/** The head of an HTTP/1 answer, and what it says about the bytes that follow. */
export interface AnswerHead {
  readonly status: number
  readonly statusText: string
  readonly headers: readonly Header[]
  /** How the body ends: after so many bytes, with its last chunk, or with the connection. */
  readonly body: number | 'chunked' | 'until-close'
  /** Whether the connection carries another answer after this one. */
  readonly keepsAlive: boolean
  /** How long the server says that it waits for another request. */
  readonly keepAliveSeconds: number | undefined
  /** The server changes to another protocol, which nobody asked for. */
  readonly isUpgrade: boolean
}

const statusLine = /^HTTP\/1\.([01]) ([1-9]\d\d)(?: (.*))?$/
const token = /^[!#$%&'*+\-.^_`|~\w]+$/
const forbidden = /[\0\r]/
const digits = /^\d{1,15}$/

/**
 * Reads a head, bytes as Latin-1, without the empty line that ends it. A string says what is wrong with it. Lines may end
 * without CR and values may be folded over lines, as RFC 9112 allows. What else is odd is read as browsers read it: a line
 * that is no header is passed over, a length that is none says nothing, chunks count more than a length. But two readers
 * may disagree where such an answer ends, so its connection carries no other.
 */
export function readAnswerHead(text: string): AnswerHead | string {
  const lineEnd = endOfLine(text, 0)
  const status = readStatus(lineOf(text, 0, lineEnd))
  if (!status) return 'no status line of HTTP/1'
  const fields = readFields(text, lineEnd + 1)
  return typeof fields === 'string' ? fields : meaningOf(status, fields)
}

/** Most answers begin like the one before. */
let lastStatus: RegExpExecArray | null = null

function readStatus(line: string): RegExpExecArray | null {
  if (lastStatus?.input !== line) lastStatus = statusLine.exec(line)
  return lastStatus
}

/** Most lines are those of the answer before, at the same place. */
const lastLines: string[] = []
const lastHeaders: Header[] = []
/** Further down, and longer, they are seldom the same. */
const maxLastLines = 32
const maxLastChars = 256

interface Fields {
  readonly headers: readonly Header[]
  /** Some line is not as it should be. */
  readonly areOdd: boolean
}

function readFields(text: string, from: number): Fields | string {
  const headers: Header[] = []
  let areOdd = false
  for (let at = from, place = 0; at < text.length; place++) {
    const end = endOfLine(text, at)
    const line = lineOf(text, at, end)
    at = end + 1
    if (line === lastLines[place]) {
      headers.push(lastHeaders[place]!)
      continue
    }
    const first = line.charCodeAt(0)
    const last = headers.at(-1)
    if ((first === 0x20 || first === 0x09) && last) {
      headers[headers.length - 1] = [last[0], `${last[1]} ${line.trim()}`.trim()]
      continue
    }
    const colon = line.indexOf(':')
    const written = line.slice(0, Math.max(0, colon))
    const name = written.trimEnd()
    areOdd ||= name !== written
    if (!token.test(name)) {
      areOdd = true
      continue
    }
    const value = line.slice(colon + 1).trim()
    if (forbidden.test(value)) return `a header with a character that may not stand there: ${name}`
    const header: Header = [name, value]
    headers.push(header)
    if (name !== written || place >= maxLastLines || line.length > maxLastChars) continue
    lastLines[place] = line
    lastHeaders[place] = header
  }
  return { headers, areOdd }
}

/** Lengths of the names that say how an answer ends: others need not be lowered. */
const FRAMING_CHARS = new Set(
  ['content-length', 'transfer-encoding', 'connection', 'keep-alive'].map((name) => name.length),
)

function meaningOf(status: RegExpExecArray, { headers, areOdd }: Fields): AnswerHead | string {
  let length: string | undefined
  let transfer: string | undefined
  let connection = ''
  let keepAlive = ''
  for (const header of headers) {
    const name = header[0]
    const value = header[1]
    switch (FRAMING_CHARS.has(name.length) ? name.toLowerCase() : '') {
      case 'content-length':
        length = length === undefined ? value : `${length}, ${value}`
        break
      case 'transfer-encoding':
        transfer = transfer === undefined ? value : `${transfer}, ${value}`
        break
      case 'connection':
        connection += `${value.toLowerCase()},`
        break
      case 'keep-alive':
        keepAlive = value
        break
      default:
    }
  }
  const code = Number(status[2])
  const isBare = code === 204 || code === 304 || code < 200
  const body = isBare ? 0 : transfer === undefined ? bodyOf(length) : bodyInCoding(transfer)
  if (typeof body === 'object') return body.fault
  const isSure = !areOdd && (length === undefined || (transfer === undefined && digits.test(length)))
  const seconds = keepAlive === '' ? null : /timeout=\s*(\d{1,6})/i.exec(keepAlive)
  return {
    status: code,
    statusText: status[3] ?? '',
    headers,
    body,
    keepsAlive:
      isSure &&
      body !== 'until-close' &&
      (status[1] === '1' ? !says(connection, 'close') : says(connection, 'keep-alive')),
    keepAliveSeconds: seconds ? Number(seconds[1]) : undefined,
    isUpgrade: code === 101 && says(connection, 'upgrade'),
  }
}

/** By its length, which may be written several times, if it is the same each time. */
function bodyOf(length: string | undefined): AnswerHead['body'] | { readonly fault: string } {
  if (length === undefined) return 'until-close'
  if (digits.test(length)) return Number(length)
  const lengths = new Set(length.split(',').map((one) => one.trim()))
  if (lengths.size > 1) return { fault: `Content-Length: ${length.slice(0, 40)}` }
  const [only] = lengths as Set<string>
  return digits.test(only!) ? Number(only) : 'until-close'
}

const bodyInCoding = (transfer: string) => (/(?:^|,)\s*chunked\s*$/i.test(transfer) ? 'chunked' : 'until-close')

function says(connection: string, option: string): boolean {
  return connection.includes(option) && connection.split(',').some((one) => one.trim() === option)
}

function endOfLine(text: string, from: number): number {
  const end = text.indexOf('\n', from)
  return end < 0 ? text.length : end
}

/** Without the CR that belongs to its end. */
function lineOf(text: string, from: number, end: number): string {
  return text.slice(from, text.charCodeAt(end - 1) === 0x0d && end > from ? end - 1 : end)
}
