import { UsageError } from '../../config/usage-error.ts'
import { decoded, withoutSecrets } from '../address.ts'
import { certificatesOf, secretOf } from '../setting-files.ts'
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
  return urls.map(withoutSecrets).join(', ')
}

/** The `Authorization` header; `undefined`: the engine asks for none. A user in a URL serves all nodes. */
export function authorizationOf(config: OpenSearchConfig): string | undefined {
  const apiKey = secretOf(config.apiKey, 'engines.opensearch.apiKeyFile', config.apiKeyFile)
  if (apiKey !== '') return `ApiKey ${apiKey}`
  const named = config.urls.map(parsedUrl).find(({ username }) => username !== '')
  const user = config.user || decoded('engines.opensearch.urls', named?.username ?? '')
  if (user === '') return undefined
  const password = secretOf(config.password, 'engines.opensearch.passwordFile', config.passwordFile)
  const known = password || decoded('engines.opensearch.urls', named?.password ?? '')
  return `Basic ${Buffer.from(`${user}:${known}`).toString('base64')}`
}

/** Certificates to trust; `undefined`: those of the system. */
export function trustedBy({ caFile }: OpenSearchConfig): Buffer | undefined {
  return caFile === '' ? undefined : certificatesOf('engines.opensearch.caFile', caFile)
}

function parsedUrl(text: string): URL {
  const url = URL.parse(text)
  if (url === null || !/^https?:$/.test(url.protocol) || url.hostname === '')
    throw new UsageError(
      `"${withoutSecrets(text)}" in engines.opensearch.urls is no address of OpenSearch, such as https://host:9200.`,
    )
  return url
}
