import { gzipSync } from 'node:zlib'
import { response } from '../answer.ts'
import type { Character, Route } from '../host.ts'
import { site } from '../site.ts'

const pixel = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)
const pdf = `%PDF-1.4
1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj
2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj
3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 200 200]>>endobj
trailer<</Root 1 0 R>>
%%EOF
`
const emptyZip = Buffer.from('504b0506000000000000000000000000000000000000', 'hex')

const shelf: readonly (readonly [path: string, contentType: string, body: string | Buffer])[] = [
  ['/files/pixel.png', 'image/png', pixel],
  ['/files/report.pdf', 'application/pdf', pdf],
  ['/files/data.json', 'application/json', '{"<a href=/files/never>": [1, 2, 3]}'],
  ['/files/notes.txt', 'text/plain; charset=utf-8', 'Plain words, and <a href="/files/never">no link</a>.\n'],
  ['/files/bundle.zip', 'application/zip', emptyZip],
  ['/files/bundle.gz', 'application/gzip', gzipSync('compressed by nature, not on the way')],
  ['/files/style.css', 'text/css', 'body { background: url(/files/never) }'],
  [
    '/files/noise.bin',
    'application/octet-stream',
    Buffer.from(Array.from({ length: 999 }, (_, i) => (i * 7919) % 256)),
  ],
]

/** Things on the web that are no pages. None of them leads to `/files/never`. */
export const files: Character = (host, world) => {
  const routes = shelf.map(
    ([path, contentType, body]): Route => ({
      path,
      answer: () => response(200, body, { 'content-type': contentType }),
      expect: { kind: 'other', contentType },
    }),
  )
  const never: Route = {
    path: '/files/never',
    linked: 'nowhere',
    answer: () => response(404),
    expect: { kind: 'excluded', reason: 'not-linked' },
  }
  return site(host, world, { routes: [...routes, never] })
}
