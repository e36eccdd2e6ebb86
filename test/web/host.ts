import type { Answer, Scheme, WebRequest } from './answer.ts'
import type { Document } from './document.ts'
import type { Graph } from './graph.ts'
import type { HostSpec } from './options.ts'

/** Who a host is, before it is known what it does: enough for others to link to it. */
export interface HostIdentity {
  /** From 1, in the order of the options. */
  readonly number: number
  /** From 0, among the hosts of its entry in the options. */
  readonly ordinal: number
  readonly name: string
  readonly address: string
  readonly scheme: Scheme
  /** `http://shop-17.test:8080`, without a slash at the end. */
  readonly origin: string
  readonly originOf: Readonly<Record<Scheme, string>>
  readonly spec: HostSpec
}

/** What all hosts share. */
export interface World {
  readonly seed: string
  readonly hosts: readonly HostIdentity[]
  /** The time of the test web, which only `advance` moves. */
  now(): number
}

/** What a crawler should make of a URL. */
export type Expectation =
  /** `unsteady`: its bytes differ from visit to visit. */
  | { readonly kind: 'page'; readonly document: Document; readonly unsteady?: boolean }
  /** Answers 200 with something that is no HTML page. */
  | { readonly kind: 'other'; readonly contentType: string }
  | { readonly kind: 'redirect'; readonly to: string }
  /** Never becomes a page. Any of the reasons is right: a status (`status-404`) or a failure code (`reset`). */
  | { readonly kind: 'failure'; readonly reasons: readonly string[] }
  /** Must never be fetched. */
  | { readonly kind: 'excluded'; readonly reason: string }
  /** Must be visited and must end; as what is the crawler's own decision. */
  | { readonly kind: 'hostile'; readonly what: string }

/** A URL beside the graph. Linked from `/` unless it says otherwise. */
export type Route = { readonly path: string; readonly linked?: 'root' | 'everywhere' | 'nowhere' } & (
  | { readonly document: Document }
  | { readonly answer: (request: WebRequest) => Answer; readonly expect: Expectation }
)

/** URLs without end that begin alike. A crawler may fetch some of them, and must stop by itself. */
export interface Trap {
  readonly prefix: string
  readonly what: string
  readonly answer: (request: WebRequest) => Answer
}

export type TlsKind = 'good' | 'expired' | 'wrong-name' | 'self-signed'
export type DnsKind = 'address' | 'not-found' | 'failed' | 'silent' | 'private'

/** What a host does. A character makes one for each of its hosts. */
export interface Behaviour {
  readonly graph: Graph
  /** The pages of the graph, as they are now; the answer may be kept unless `changes`. */
  documentOf(page: number): Document
  readonly changes?: boolean
  readonly routes: readonly Route[]
  readonly traps?: readonly Trap[]
  /** Without it `/robots.txt` allows all. */
  readonly robots?: (request: WebRequest) => Answer
  /** Paths that its robots.txt closes: fetching one is a violation. */
  readonly forbids?: (path: string) => boolean
  readonly crawlDelayMs?: number
  /** Called before everything but robots.txt; an answer here is what the client gets. */
  readonly gate?: (request: WebRequest) => Answer | undefined
  /** Laid over every answer but robots.txt. */
  readonly latencyMs?: (request: WebRequest) => number
  readonly tls?: TlsKind
  readonly http1Only?: boolean
  readonly dns?: DnsKind
  /** Every name below its own leads to it as well. */
  readonly wildcard?: boolean
  /** The host has an address, and nothing listens there. */
  readonly deaf?: boolean
  /** What becomes of `/` when nothing behind it can be reached; then nothing else is expected of the host. */
  readonly wholeHost?: Expectation
}

/** One file in `characters/` each. */
export type Character = (host: HostIdentity, world: World) => Behaviour

export interface Host extends HostIdentity, Behaviour {
  readonly route: ReadonlyMap<string, Route>
}
