import { randomBytes } from 'node:crypto'
import { type Fetched, fetches, type SettledVisit, type StageEnded, settlements, stages } from './events.ts'
import { urlId } from './logs.ts'
import { redactedUrl } from './redacted.ts'

export interface Span {
  readonly traceId: string
  readonly spanId: string
  /** Empty: the visit itself. */
  readonly parentId: string
  readonly name: string
  /** Milliseconds since 1970, with fractions. */
  readonly startedAt: number
  readonly endedAt: number
  readonly failed: boolean
  readonly attributes: Readonly<Record<string, string | number>>
}

export interface TracerOptions {
  /** Of the visits. */
  readonly share: number
  /** 0 to 1. Given once for each process: which URLs are traced. */
  readonly salt: number
}

export interface Tracer extends Disposable {
  /** The spans of visits that have ended since it was last asked. */
  take(): Span[]
}

interface Pending {
  readonly traceId: string
  readonly rootId: string
  readonly spans: Span[]
  outcome: string
  status: number | null
  code: string
}

const maxPending = 10_000
const maxWaiting = 20_000

/**
 * Traces of some visits: a span for the visit, and one for each of its stages. Which ones is decided by the URL, so that
 * nothing has to be carried along; reading is told apart into fetching and parsing by how long the request took.
 */
export function openTracer({ share, salt }: TracerOptions): Tracer {
  const pending = new Map<string, Pending>()
  let ended: Span[] = []
  const isTraced = (url: string) => chanceOf(url, salt) < share

  function pendingOf(url: string): Pending {
    const known = pending.get(url)
    if (known) return known
    // One that never ended, since its lease was lost.
    if (pending.size >= maxPending) pending.delete(pending.keys().next().value!)
    const made: Pending = { traceId: id(16), rootId: id(8), spans: [], outcome: '', status: null, code: '' }
    pending.set(url, made)
    return made
  }

  function stageEnded(event: StageEnded): void {
    if (!isTraced(event.url)) return
    const visit = pendingOf(event.url)
    if (event.stage !== 'visit') {
      visit.spans.push(spanOf(visit, event.stage, event.startedAt, event.durationMs, event.failed))
      return
    }
    pending.delete(event.url)
    if (ended.length < maxWaiting) ended.push(rootOf(visit, event), ...visit.spans)
  }

  function fetched({ url, status, code, durationMs }: Fetched): void {
    const visit = isTraced(url) ? pending.get(url) : undefined
    const read = visit?.spans.findLast(({ name }) => name === 'read')
    if (!visit || !read) return
    visit.status = status
    visit.code = code
    const fetchEnd = Math.min(read.startedAt + durationMs, read.endedAt)
    const part = { ...read, parentId: read.spanId }
    visit.spans.push({ ...part, spanId: id(8), name: 'fetch', endedAt: fetchEnd, failed: code !== '' })
    if (code === '') visit.spans.push({ ...part, spanId: id(8), name: 'parse', startedAt: fetchEnd })
  }

  function settled({ visit, answer }: SettledVisit): void {
    const known = pending.get(visit.url)
    if (known) known.outcome = answer === 'settled' ? visit.kind : answer
  }

  using stack = new DisposableStack()
  stack.use(stages.listen(stageEnded))
  stack.use(fetches.listen(fetched))
  stack.use(settlements.listen(settled))
  const listening = stack.move()
  return {
    take() {
      const taken = ended
      ended = []
      return taken
    },
    [Symbol.dispose]: () => listening.dispose(),
  }
}

function spanOf(visit: Pending, name: string, startedAt: number, durationMs: number, failed: boolean): Span {
  const start = performance.timeOrigin + startedAt
  return {
    ...{ traceId: visit.traceId, spanId: id(8), parentId: visit.rootId, name, failed, attributes: {} },
    ...{ startedAt: start, endedAt: start + durationMs },
  }
}

function rootOf(visit: Pending, { url, startedAt, durationMs, failed }: StageEnded): Span {
  const { outcome, status, code } = visit
  const span = spanOf(visit, 'visit', startedAt, durationMs, failed || code !== '')
  const attributes = {
    ...{ 'url.full': redactedUrl(url), 'orbweaver.url_id': urlId(url), 'orbweaver.settled': outcome },
    ...(status !== null && { 'http.response.status_code': status }),
    ...(code !== '' && { 'error.type': code }),
  }
  return { ...span, spanId: visit.rootId, parentId: '', attributes }
}

/** FNV-1a, as a number from 0 to 1. */
function chanceOf(text: string, salt: number): number {
  let hash = Math.floor(salt * 2 ** 32) ^ 0x811c9dc5
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193)
  // Its low bits are the good ones; one more turn brings them up.
  hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d)
  return ((hash ^ (hash >>> 13)) >>> 0) / 2 ** 32
}

const id = (bytes: number) => randomBytes(bytes).toString('hex')
