import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import { isPage } from './paths.ts'

/** A file of the dashboard as it is answered. */
export interface DashboardAnswer {
  readonly status: 200 | 304 | 404
  readonly headers: Readonly<Record<string, string>>
  readonly body: Uint8Array
}

export interface Dashboard {
  /**
   * `undefined`: no such file or page; a person who looks for one is told so by the app. The path is that of the request,
   * without its query.
   */
  answer(path: string, requested: RequestedForm): DashboardAnswer | undefined
}

/** Headers of the request that decide how a file is sent. */
export interface RequestedForm {
  readonly accept?: string | undefined
  readonly 'accept-encoding'?: string | undefined
  readonly 'if-none-match'?: string | undefined
}

/**
 * What the browser may do with the dashboard. Everything comes from this server, nothing is inline, and no string can become
 * markup or script: so a crawled page that reaches the screen can only be text.
 */
export const dashboardPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join('; ')

const contentTypes: Readonly<Record<string, string>> = {
  html: 'text/html; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  svg: 'image/svg+xml',
}

interface StoredFile {
  readonly headers: Readonly<Record<string, string>>
  readonly forms: Readonly<Record<'identity' | 'gzip' | 'br', Uint8Array>>
}

/** The dashboard as the package brings it; in a clone, where nothing was built, it is made from its source now. */
export async function openDashboard(): Promise<Dashboard> {
  const contents = builtFiles() ?? (await (await import('./bundle.ts')).bundleDashboard())
  const files = new Map([...contents].map(([name, bytes]) => [name, storedFile(name, bytes)]))
  return {
    answer(path, requested) {
      const file = files.get(isPage(path) ? 'index.html' : path.slice(1))
      if (file) return answerWith(file, requested)
      if (!isPerson(requested) || isApi(path)) return undefined
      return { ...answerWith(files.get('index.html')!, { ...requested, 'if-none-match': undefined }), status: 404 }
    },
  }
}

const isPerson = ({ accept }: RequestedForm) => accept?.split(',').includes('text/html') ?? false

const isApi = (path: string) => path === '/v1' || path.startsWith('/v1/')

function builtFiles(): Map<string, Uint8Array> | undefined {
  const folder = new URL('./built/', import.meta.url)
  try {
    return new Map(readdirSync(folder).map((name) => [name, readFileSync(new URL(name, folder))]))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

function storedFile(name: string, bytes: Uint8Array): StoredFile {
  return {
    headers: {
      'content-type': contentTypes[name.slice(name.lastIndexOf('.') + 1)] ?? 'application/octet-stream',
      etag: `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 22)}"`,
      'cache-control': 'no-cache',
      vary: 'accept-encoding',
      'content-security-policy': dashboardPolicy,
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
      'referrer-policy': 'no-referrer',
      'cross-origin-opener-policy': 'same-origin',
    },
    forms: { identity: bytes, gzip: gzipSync(bytes), br: brotliCompressSync(bytes) },
  }
}

function answerWith({ headers, forms }: StoredFile, requested: RequestedForm): DashboardAnswer {
  if (requested['if-none-match']?.includes(headers.etag!)) return { status: 304, headers, body: new Uint8Array() }
  const form = formFor(requested['accept-encoding'] ?? '')
  const encoding: Record<string, string> = form === 'identity' ? {} : { 'content-encoding': form }
  const body = forms[form]
  return { status: 200, headers: { ...headers, ...encoding, 'content-length': String(body.byteLength) }, body }
}

function formFor(accepted: string): 'br' | 'gzip' | 'identity' {
  const names = accepted.split(',').map((part) => part.split(';')[0]!.trim())
  if (names.includes('br')) return 'br'
  return names.includes('gzip') ? 'gzip' : 'identity'
}
