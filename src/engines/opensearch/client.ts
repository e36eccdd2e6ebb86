import { Agent } from 'undici'
import type { Clock } from '../../clock.ts'
import { engineNews } from '../../monitor/events.ts'
import { backOffMs } from './back-off.ts'
import type { OpenSearchConfig } from './config.ts'
import { authorizationOf, nodesOf, placeOf, trustedBy } from './credentials.ts'
import { accessFault, connectionFault, EngineAwayError, reasonIn } from './faults.ts'
import { NodeRota } from './node-rota.ts'

export interface Call {
  readonly method: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'DELETE'
  /** Begins with a slash. */
  readonly path: string
  /** An object is sent as JSON, bytes as lines of JSON. */
  readonly body?: object | Uint8Array
  /** Where a person waits for the answer, less than what the crawl has. */
  readonly patienceMs?: number
  /** How long one try may take. */
  readonly answerTimeoutMs?: number
}

export interface Answer<Body> {
  readonly status: number
  readonly body: Body
}

/**
 * HTTP to the nodes of OpenSearch or Elasticsearch. A call is repeated while the engine is away or overloaded, so it must
 * be one that may be done twice. What it answers beyond that is the caller's to judge.
 */
export interface OpenSearch extends AsyncDisposable {
  readonly config: OpenSearchConfig
  readonly clock: Clock
  /** For people: without secrets. */
  readonly place: string
  ask<Body>(call: Call): Promise<Answer<Body>>
}

const CONNECTIONS_PER_NODE = 8
const CONNECT_TIMEOUT_MS = 5000
const ANSWER_TIMEOUT_MS = 25_000
/** Under what load balancers allow an idle connection. */
const KEEP_ALIVE_MS = 30_000

export function openClient(config: OpenSearchConfig, clock: Clock): OpenSearch {
  const rota = new NodeRota(nodesOf(config))
  const place = placeOf(config)
  const authorization = authorizationOf(config)
  const ca = trustedBy(config)
  const closing = new AbortController()
  const agent = new Agent({
    connections: CONNECTIONS_PER_NODE,
    bodyTimeout: ANSWER_TIMEOUT_MS,
    keepAliveTimeout: KEEP_ALIVE_MS,
    connect: { timeout: CONNECT_TIMEOUT_MS, ...(ca ? { ca } : {}) },
  })

  /** One try at one node. */
  async function attempt(call: Call): Promise<Answer<unknown> | Failure> {
    const node = rota.take(clock.now())
    try {
      const { statusCode, body } = await agent.request({
        ...{ origin: node.origin, path: node.base + call.path, method: call.method, signal: closing.signal },
        headers: { ...(authorization ? { authorization } : {}), ...contentType(call.body) },
        body: call.body === undefined ? null : bytesOf(call.body),
        headersTimeout: call.answerTimeoutMs ?? ANSWER_TIMEOUT_MS,
      })
      const answer = { status: statusCode, body: parsed(await body.text()) }
      return isPassing(statusCode) ? { why: passingFault(answer), otherNode: false } : answer
    } catch (cause) {
      if (closing.signal.aborted) throw closing.signal.reason
      rota.failed(node, clock.now())
      return { why: connectionFault(cause), otherNode: true, cause }
    }
  }

  return {
    ...{ config, clock, place },
    async ask<Body>(call: Call) {
      const patienceMs = call.patienceMs ?? config.patienceMs
      const since = clock.now()
      let wasAway = false
      for (let failures = 1; ; failures++) {
        const answer = await attempt(call)
        if ('status' in answer) {
          const fault = accessFault(place, answer.status, config.user)
          if (fault) throw fault
          if (wasAway) engineNews.tell({ engine: 'opensearch', isAway: false, reason: '' })
          return answer as Answer<Body>
        }
        if (answer.otherNode && failures < rota.size) continue
        wasAway = true
        engineNews.tell({ engine: 'opensearch', isAway: true, reason: answer.why })
        const waitedMs = clock.now() - since
        if (waitedMs >= patienceMs) throw new EngineAwayError(place, waitedMs, answer.why, answer.cause)
        await clock.sleep(backOffMs(failures - (answer.otherNode ? rota.size - 1 : 0)), closing.signal)
        closing.signal.throwIfAborted()
      }
    },
    async [Symbol.asyncDispose]() {
      closing.abort(new Error(`The connection to OpenSearch at ${place} was closed.`))
      await agent.destroy()
    },
  }
}

/** What a second try may mend. */
interface Failure {
  readonly why: string
  /** Whether another node may do better at once. */
  readonly otherNode: boolean
  readonly cause?: unknown
}

/** Overloaded, starting, moving shards, or a proxy before it that finds no node. */
export function isPassing(status: number): boolean {
  return status === 429 || status === 408 || status >= 500
}

function passingFault({ status, body }: Answer<unknown>): string {
  return [`status ${status}`, reasonIn(body)].filter(Boolean).join(', ')
}

function contentType(body: Call['body']): { 'content-type'?: string } {
  if (body === undefined) return {}
  return { 'content-type': body instanceof Uint8Array ? 'application/x-ndjson' : 'application/json' }
}

function bytesOf(body: object | Uint8Array): string | Uint8Array {
  return body instanceof Uint8Array ? body : JSON.stringify(body)
}

/** `undefined`: no JSON, as from a proxy's page of apology. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
