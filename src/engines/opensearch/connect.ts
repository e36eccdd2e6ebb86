import type { Clock } from '../../clock.ts'
import { UsageError } from '../../config/usage-error.ts'
import { type Call, type OpenSearch, openClient } from './client.ts'
import type { OpenSearchConfig } from './config.ts'
import { accessFault, EngineAwayError, LOST } from './faults.ts'

const FIRST_ANSWER_MS = 5000
const OLDEST = { opensearch: 2, elasticsearch: 8 } as const

/** Connects and asks once, so that a wrong setting shows at once and in one sentence. Reconnects by itself later on. */
export async function connectOpenSearch(config: OpenSearchConfig, clock: Clock): Promise<OpenSearch> {
  await using stack = new AsyncDisposableStack()
  const engine = stack.use(openClient(config, clock))
  await checkVersion(engine)
  await checkPermissions(engine)
  stack.move()
  return engine
}

/** `OpenSearch 3.8.0`; throws, in one sentence, for what is no engine that we can use. */
export async function checkVersion(engine: OpenSearch): Promise<string> {
  const { status, body } = await firstAnswer<RootAnswer | undefined>(engine, { method: 'GET', path: '/' })
  const number = body?.version?.number
  if (status !== 200 || number === undefined)
    throw new UsageError(`What answers at ${engine.place} is neither OpenSearch nor Elasticsearch (status ${status}).`)
  const product = body?.version?.distribution === 'opensearch' ? 'opensearch' : 'elasticsearch'
  const name = product === 'opensearch' ? 'OpenSearch' : 'Elasticsearch'
  if (Number.parseInt(number, 10) < OLDEST[product])
    throw new UsageError(`${name} ${number} at ${engine.place} is too old: ${OLDEST[product]} or newer is needed.`)
  return `${name} ${number}`
}

interface RootAnswer {
  readonly version?: { readonly number?: string; readonly distribution?: string }
}

interface BulkAnswer {
  readonly items?: readonly { readonly delete?: { readonly status?: number } }[]
}

/** Nobody waits long to learn that a setting is wrong. */
async function firstAnswer<Body>(engine: OpenSearch, call: Call) {
  try {
    return await engine.ask<Body>({ ...call, patienceMs: 0, answerTimeoutMs: FIRST_ANSWER_MS })
  } catch (error) {
    if (!(error instanceof EngineAwayError)) throw error
    const mayWantTls = error.why === LOST && !engine.place.startsWith('https:')
    const hint = mayWantTls ? ' (it may want https:// in engines.opensearch.urls)' : ''
    throw new UsageError(`OpenSearch at ${engine.place} cannot be reached: ${error.why}${hint}.`, { cause: error })
  }
}

/** Removes what is not there, from an index that is not there: an engine that lets us write answers "not found". */
export async function checkPermissions(engine: OpenSearch): Promise<void> {
  const { prefix, user } = engine.config
  const operation = { delete: { _index: `${prefix}.permission-check`, _id: 'none' } }
  const { body } = await firstAnswer<BulkAnswer | undefined>(engine, {
    method: 'POST',
    path: '/_bulk?require_alias=true',
    body: Buffer.from(`${JSON.stringify(operation)}\n`),
  })
  const fault = accessFault(engine.place, body?.items?.[0]?.delete?.status ?? 0, user)
  if (fault) throw fault
}
