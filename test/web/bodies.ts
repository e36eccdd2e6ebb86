import type { IncomingHttpHeaders } from 'node:http'
import { constants, gzipSync } from 'node:zlib'
import type { Headers } from './answer.ts'
import type { Document } from './document.ts'

/** A page ready to be sent. */
export interface Negotiated {
  readonly status: 200 | 304
  readonly headers: Headers
  readonly body: Buffer
}

interface Prepared {
  readonly plain: Negotiated
  readonly gzip: Negotiated
  readonly unchanged: Negotiated
  readonly etag: string
  readonly modifiedAtMs: number
}

/** Rendered and compressed pages, so that a page costs its rendering once however often it is asked for. */
export interface Bodies {
  negotiate(document: () => Document, keptAs: string | undefined, headers: IncomingHttpHeaders): Negotiated
}

const defaultLimitBytes = 512 * 2 ** 20

/** Forgets everything when it holds more than the limit: simple, and benchmarks stay below. */
export function bodies(limitBytes = defaultLimitBytes): Bodies {
  const kept = new Map<string, Prepared>()
  let bytes = 0

  function keep(key: string, page: Prepared): Prepared {
    bytes += page.gzip.body.length + page.plain.body.length
    if (bytes > limitBytes) {
      kept.clear()
      bytes = 0
    }
    kept.set(key, page)
    return page
  }

  return {
    negotiate(document, keptAs, headers) {
      const page = keptAs === undefined ? prepare(document()) : (kept.get(keptAs) ?? keep(keptAs, prepare(document())))
      if (isUnchanged(page, headers)) return page.unchanged
      return acceptsGzip(headers['accept-encoding']) ? page.gzip : page.plain
    },
  }
}

function prepare(document: Document): Prepared {
  const { etag, modifiedAtMs } = document
  const body = document.body()
  const packed = gzipSync(body, { level: constants.Z_BEST_SPEED })
  const validators = { etag, 'last-modified': new Date(modifiedAtMs).toUTCString() }
  const common = { 'content-type': document.contentType, vary: 'accept-encoding', ...validators, ...document.headers }
  return {
    etag,
    modifiedAtMs,
    plain: { status: 200, headers: { ...common, 'content-length': String(body.length) }, body },
    gzip: {
      status: 200,
      headers: { ...common, 'content-encoding': 'gzip', 'content-length': String(packed.length) },
      body: packed,
    },
    unchanged: { status: 304, headers: validators, body: Buffer.alloc(0) },
  }
}

function isUnchanged({ etag, modifiedAtMs }: Prepared, headers: IncomingHttpHeaders): boolean {
  const tags = headers['if-none-match']
  if (tags !== undefined) return tags.includes(etag)
  const since = headers['if-modified-since']
  return since !== undefined && Date.parse(since) >= modifiedAtMs
}

function acceptsGzip(accepted: string | string[] | undefined): boolean {
  return typeof accepted === 'string' && accepted.includes('gzip')
}
