import { readFileSync } from 'node:fs'
import { UsageError } from '../../config/usage-error.ts'
import type { OpenSearchConfig } from './config.ts'

/** One node of the engine: where it is, and what comes before every path there. */
export interface EngineNode {
  readonly origin: string
  readonly base: string
}

export function nodesOf({ urls }: OpenSearchConfig): EngineNode[] {
  if (urls.length === 0) throw new UsageError('No OpenSearch is named: set engines.opensearch.urls.')
  return urls.map((text) => {
    const url = parsedUrl(text)
    return { origin: url.origin, base: url.pathname.replace(/\/+$/, '') }
  })
}

/** For people: without secrets. */
export function placeOf({ urls }: OpenSearchConfig): string {
  return urls.map((text) => text.replace(/\/\/[^@/]*@/, '//')).join(', ')
}

/** The `Authorization` header; `undefined`: the engine asks for none. A user in a URL serves all nodes. */
export function authorizationOf(config: OpenSearchConfig): string | undefined {
  const apiKey = secretOf(config.apiKey, config.apiKeyFile)
  if (apiKey !== '') return `ApiKey ${apiKey}`
  const named = config.urls.map(parsedUrl).find(({ username }) => username !== '')
  const user = config.user || decodeURIComponent(named?.username ?? '')
  if (user === '') return undefined
  const password = secretOf(config.password, config.passwordFile) || decodeURIComponent(named?.password ?? '')
  return `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`
}

/** Certificates to trust; `undefined`: those of the system. */
export function trustedBy({ caFile }: OpenSearchConfig): Buffer | undefined {
  return caFile === '' ? undefined : readSetting(caFile)
}

function parsedUrl(text: string): URL {
  const url = URL.parse(text)
  if (url === null || !/^https?:$/.test(url.protocol) || url.hostname === '')
    throw new UsageError(
      `"${text.replace(/\/\/[^@/]*@/, '//')}" is no address of OpenSearch, such as https://host:9200.`,
    )
  return url
}

function secretOf(value: string, file: string): string {
  return file === '' ? value : readSetting(file).toString('utf8').trim()
}

function readSetting(file: string): Buffer {
  try {
    return readFileSync(file)
  } catch (cause) {
    throw new UsageError(`${file}, named for OpenSearch, cannot be read: ${(cause as Error).message}.`, { cause })
  }
}
