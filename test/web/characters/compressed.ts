import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib'
import { response } from '../answer.ts'
import type { Character, Route } from '../host.ts'
import { loosePage, site } from '../site.ts'

const ways: Readonly<Record<string, readonly [encoding: string, pack: (body: Buffer) => Buffer]>> = {
  gzip: ['gzip', (body) => gzipSync(body)],
  'x-gzip': ['x-gzip', (body) => gzipSync(body)],
  'two-members': ['gzip', (body) => Buffer.concat([gzipSync(body.subarray(0, 500)), gzipSync(body.subarray(500))])],
  br: ['br', (body) => brotliCompressSync(body)],
  zstd: ['zstd', (body) => zstdCompressSync(body)],
  deflate: ['deflate', (body) => deflateSync(body)],
  'deflate-raw': ['deflate', (body) => deflateRawSync(body)],
  twice: ['gzip, br', (body) => brotliCompressSync(gzipSync(body))],
  identity: ['identity', (body) => body],
}

/** One page in each content encoding, sent whether or not the client asked for it. */
export const compressed: Character = (host, world) => {
  const routes = Object.entries(ways).map(([way, [encoding, pack]]): Route => {
    const path = `/encoded/${way}`
    const document = loosePage(host, world, path)
    const body = pack(document.body())
    return {
      path,
      answer: () => response(200, body, { 'content-encoding': encoding }),
      expect: { kind: 'page', document },
    }
  })
  return site(host, world, { routes })
}
