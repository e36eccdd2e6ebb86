import { request as httpRequest, type IncomingHttpHeaders } from 'node:http'
import { request as httpsRequest } from 'node:https'
import { brotliDecompressSync, gunzipSync, inflateRawSync, inflateSync, zstdDecompressSync } from 'node:zlib'
import type { TestWeb } from './web.ts'

export interface Got {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  /** Decoded. */
  readonly body: Buffer
}

/** The plainest client there is, for the tests of the test web: one connection for each request, errors thrown. */
export function get(
  web: TestWeb,
  url: string,
  headers: Record<string, string> = {},
  signal: AbortSignal = AbortSignal.timeout(5000),
): Promise<Got> {
  const request = url.startsWith('https:') ? httpsRequest : httpRequest
  const options = { agent: false, lookup: web.lookup, ca: web.caCertificate, headers, signal } as const
  return new Promise((resolve, reject) => {
    const sent = request(url, options, (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('error', reject)
      response.on('end', () => {
        try {
          const body = decoded(Buffer.concat(chunks), response.headers['content-encoding'])
          resolve({ status: response.statusCode ?? 0, headers: response.headers, body })
        } catch (error) {
          reject(error)
        }
      })
    })
    sent.on('error', reject)
    sent.end()
  })
}

const decoders: Readonly<Record<string, (body: Buffer) => Buffer>> = {
  gzip: gunzipSync,
  'x-gzip': gunzipSync,
  br: brotliDecompressSync,
  zstd: zstdDecompressSync,
  // Servers mean either of two formats by this word; the first byte of one of them always has these low bits.
  deflate: (body) => ((body[0]! & 0x0f) === 8 ? inflateSync(body) : inflateRawSync(body)),
}

function decoded(body: Buffer, encoding = ''): Buffer {
  return encoding
    .split(', ')
    .toReversed()
    .reduce((bytes, name) => decoders[name]?.(bytes) ?? bytes, body)
}
