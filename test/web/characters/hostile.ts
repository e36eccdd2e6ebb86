import { type Answer, plainText, raw, response, silence } from '../answer.ts'
import type { Character, Route } from '../host.ts'
import { site } from '../site.ts'
import { gzipBomb } from './gzip-bomb.ts'
import { kindsOf } from './kinds.ts'

const mib = 2 ** 20
const html = { 'content-type': 'text/html; charset=utf-8' }
const okHead = 'HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n'

/** Every misbehaviour by name, made when it is first asked for. The first four hold a client until its own limits end it. */
export const misdeeds = {
  'slow-drip': () => ({ kind: 'stream', status: 200, headers: html, chunks: endless('<p>drip'), everyMs: 100 }),
  'slow-headers': () => raw('HTTP/1.1 200 OK\r\nContent-Ty', 'hold'),
  'never-answers': () => silence,
  'endless-body': () => ({
    kind: 'stream',
    status: 200,
    headers: html,
    chunks: endless('<p>more and more</p>'.repeat(3000)),
    everyMs: 0,
  }),
  'gzip-bomb': () => response(200, gzipBomb(512 * mib), { ...html, 'content-encoding': 'gzip' }),
  'broken-gzip': () =>
    response(200, Buffer.from('1f8b0800000000000003deadbeef', 'hex'), { 'content-encoding': 'gzip' }),
  'not-gzip': () => response(200, '<title>I lied</title>', { 'content-encoding': 'gzip' }),
  'unknown-encoding': () => response(200, 'rot13', { 'content-encoding': 'x-rot13' }),
  'length-too-long': () => raw(`${okHead}Content-Length: 5000\r\n\r\n<title>Less than promised</title>`),
  'length-too-short': () => raw(`${okHead}Content-Length: 10\r\n\r\n<title>More than promised</title>`),
  'two-lengths': () => raw(`${okHead}Content-Length: 5\r\nContent-Length: 9\r\n\r\nhello you`),
  'length-no-number': () => raw(`${okHead}Content-Length: many\r\n\r\nhello`),
  'broken-chunks': () => raw(`${okHead}Transfer-Encoding: chunked\r\n\r\nZZ\r\nhello\r\n0\r\n\r\n`),
  'unfinished-chunks': () => raw(`${okHead}Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n`),
  'header-bomb': () => raw(`${okHead}${headerLines(20_000)}Content-Length: 2\r\n\r\nhi`),
  'long-header': () => raw(`${okHead}X-Long: ${'x'.repeat(mib)}\r\nContent-Length: 2\r\n\r\nhi`),
  garbage: () => raw(Buffer.from(Array.from({ length: 2000 }, (_, i) => (i * 7919) % 256))),
  'other-protocol': () => raw('SSH-2.0-OpenSSH_9.9\r\n'),
  'empty-reply': () => raw(''),
  'bad-status': () => raw('HTTP/1.1 999 Never\r\nContent-Length: 2\r\n\r\nhi'),
  'nul-bytes': () => response(200, Buffer.alloc(64 * 1024), html),
  'deep-nesting': () => response(200, `<title>Deep</title>${'<div>'.repeat(100_000)}`, html),
  'long-attribute': () => response(200, `<title>Long</title><a href="/${'x'.repeat(mib)}">far</a>`, html),
  'many-links': () =>
    response(
      200,
      linkList(100_000, (i) => `/crowd/${i % 50}#${i}`),
      html,
    ),
  'many-distinct-links': () =>
    response(
      200,
      linkList(100_000, (i) => `/horde/${i}`),
      html,
    ),
} satisfies Record<string, () => Answer>

type Misdeed = keyof typeof misdeeds

/** A URL below `/hostile/` for each misbehaviour, and a robots.txt of a megabyte. */
export const hostile: Character = (host, world) => {
  const kinds = kindsOf(host, Object.keys(misdeeds) as Misdeed[])
  const made = new Map<Misdeed, Answer>()
  const answer = (kind: Misdeed) => {
    const known = made.get(kind) ?? misdeeds[kind]()
    made.set(kind, known)
    return known
  }
  const routes = kinds.map(
    (kind): Route => ({
      path: `/hostile/${kind}`,
      answer: () => answer(kind),
      expect: { kind: 'hostile', what: kind },
    }),
  )
  const crowd = (what: string, prefix: string) => ({ prefix, what, answer: () => response(404) })
  return {
    ...site(host, world, { routes }),
    robots: () => plainText(200, `User-agent: *\nDisallow:\n${'# and another line\n'.repeat(60_000)}`),
    traps: [
      crowd('targets of many links', '/crowd/'),
      crowd('targets of too many links', '/horde/'),
      crowd('x', '/xxx'),
    ],
  }
}

/** Begins anew for every client. */
function endless(text: string): Iterable<Buffer> {
  const chunk = Buffer.from(text)
  return {
    *[Symbol.iterator]() {
      while (true) yield chunk
    },
  }
}

function headerLines(count: number): string {
  return Array.from({ length: count }, (_, i) => `X-Header-${i}: ${'y'.repeat(40)}\r\n`).join('')
}

function linkList(count: number, href: (i: number) => string): string {
  return `<title>Links</title>${Array.from({ length: count }, (_, i) => `<a href="${href(i)}">${i}</a>`).join('\n')}`
}
