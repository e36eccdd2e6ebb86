import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import { isIP } from 'node:net'
import { HttpProblem } from './problem.ts'

/** On every answer. Whatever a crawled page contains, a browser that gets it from here shows text and runs nothing. */
export const securityHeaders: Readonly<Record<string, string>> = {
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'; sandbox",
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'cross-origin-resource-policy': 'same-origin',
  'cache-control': 'no-store',
}

export interface Guards {
  /** Names by which the server may be addressed, without port; `undefined`: any. */
  readonly hosts: readonly string[] | undefined
  readonly allowedOrigins: readonly string[]
}

/**
 * Where no token is asked for, a name decides: a web page that lets its own name point to this machine (DNS rebinding) is
 * of the same origin for the browser, but not one of ours.
 */
export function guardHost({ host }: IncomingHttpHeaders, { hosts }: Guards): void {
  if (!hosts) return
  const name = nameOf(host)
  if (name === undefined || !hosts.includes(name))
    throw new HttpProblem(
      421,
      `This server does not answer to the name "${name ?? ''}": add it to server.allowedHosts, or use a token.`,
    )
}

export function nameOf(host: string | undefined): string | undefined {
  return URL.parse(`http://${host ?? ''}`)?.hostname.replace(/^\[|\]$/g, '')
}

export const isLoopback = (address: string) =>
  address === 'localhost' || address === '::1' || (isIP(address) === 4 && address.startsWith('127.'))

/** What changes something comes as JSON, which no form can send, and from a page of ours or from no page. */
export function guardChange({ method, headers }: IncomingMessage, guards: Guards): void {
  if (method === 'GET' || method === 'HEAD') return
  guardOrigin(headers, guards)
  const type = headers['content-type']?.split(';')[0]?.trim().toLowerCase()
  if (type !== 'application/json')
    throw new HttpProblem(415, 'What changes something is sent with `Content-Type: application/json`.')
}

function guardOrigin(headers: IncomingHttpHeaders, { allowedOrigins }: Guards): void {
  const { origin, host } = headers
  if (origin === undefined && headers['sec-fetch-site'] !== 'cross-site') return
  if (origin !== undefined && (URL.parse(origin)?.host === host || allowedOrigins.includes(origin))) return
  throw new HttpProblem(403, 'Pages of other sites may not change anything here: see server.allowedOrigins.')
}

/** For pages of other origins that the settings name; nothing for others, so that browsers keep answers from them. */
export function corsHeaders({ origin }: IncomingHttpHeaders, { allowedOrigins }: Guards): Record<string, string> {
  if (origin === undefined || !allowedOrigins.includes(origin)) return {}
  return {
    'access-control-allow-origin': origin,
    'access-control-allow-methods': 'GET, HEAD, POST, PUT, PATCH, DELETE',
    'access-control-allow-headers': 'authorization, content-type',
    'access-control-max-age': '600',
    'cross-origin-resource-policy': 'cross-origin',
    vary: 'origin',
  }
}
