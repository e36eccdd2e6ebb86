/** A CPU profile as V8 writes it, as far as it is read here. */
export interface CpuProfile {
  readonly nodes: readonly {
    readonly id: number
    readonly callFrame: { readonly functionName: string; readonly url: string }
    readonly children?: readonly number[]
  }[]
  readonly samples: readonly number[]
  /** µs since the sample before. */
  readonly timeDeltas: readonly number[]
}

/** What a worker spends on not getting in others' way, and what else goes through the same clients. */
export type Part = 'coordination' | 'shared' | 'client' | 'rest'

/** Time that was not spent working. */
const IDLE = new Set(['(idle)', '(program)'])

const CLIENT = /\/node_modules\/(ioredis|@ioredis|@platformatic\/kafka|redis-parser|standard-as-callback)\//
const COORDINATION = /\/src\/(frontier\/adapters\/(redis|kafka)|engines\/(redis\/courier|kafka)|fleet\/registry)/
/** Questions about pages, such as "is there one like it?": a crawl on one machine asks them too. */
const SHARED = /\/src\/((dedup|politeness)\/adapters\/redis|engines\/redis\/turn|fleet\/(shared|content-claims))/

/**
 * CPU time of each part, in ms. Time of a client belongs to who called it; answers that it reads on its own are `client`.
 */
export function cpuByPart({ nodes, samples, timeDeltas }: CpuProfile): Record<Part, number> {
  const byId = new Map(nodes.map((node) => [node.id, node]))
  const parents = new Map(nodes.flatMap(({ id, children = [] }) => children.map((child) => [child, id] as const)))
  const parts = new Map<number, Part>()
  const ms = { coordination: 0, shared: 0, client: 0, rest: 0 }

  function partOf(node: number): Part {
    let seen: Part = 'rest'
    for (let id: number | undefined = node; id !== undefined; id = parents.get(id)) {
      const { url } = byId.get(id)!.callFrame
      if (COORDINATION.test(url)) return 'coordination'
      if (SHARED.test(url)) return 'shared'
      if (CLIENT.test(url)) seen = 'client'
      else if (/\/src\//.test(url) && seen === 'rest') return 'rest'
    }
    return seen
  }

  samples.forEach((id, i) => {
    if (IDLE.has(byId.get(id)?.callFrame.functionName ?? '')) return
    const part = parts.get(id) ?? partOf(id)
    parts.set(id, part)
    ms[part] += Math.max(0, timeDeltas[i] ?? 0) / 1000
  })
  return ms
}
