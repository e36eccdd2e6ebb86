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

export interface CpuOfPart {
  readonly totalMs: number
  /** Of it, under a function of the part: what it calls counts as its own. */
  readonly partMs: number
}

/** Time that was not spent working. */
const IDLE = new Set(['(idle)', '(program)'])

export function cpuOfPart({ nodes, samples, timeDeltas }: CpuProfile, isPart: (url: string) => boolean): CpuOfPart {
  const idle = new Set(nodes.filter(({ callFrame }) => IDLE.has(callFrame.functionName)).map(({ id }) => id))
  const inPart = descendants(nodes, isPart)
  let totalUs = 0
  let partUs = 0
  samples.forEach((id, i) => {
    if (idle.has(id)) return
    const us = Math.max(0, timeDeltas[i] ?? 0)
    totalUs += us
    if (inPart.has(id)) partUs += us
  })
  return { totalMs: totalUs / 1000, partMs: partUs / 1000 }
}

function descendants(nodes: CpuProfile['nodes'], isPart: (url: string) => boolean): Set<number> {
  const byId = new Map(nodes.map((node) => [node.id, node]))
  const found = new Set<number>()
  const waiting = nodes.filter(({ callFrame }) => isPart(callFrame.url)).map(({ id }) => id)
  for (let id = waiting.pop(); id !== undefined; id = waiting.pop()) {
    if (found.has(id)) continue
    found.add(id)
    waiting.push(...(byId.get(id)?.children ?? []))
  }
  return found
}

/** What speaks with Redis and Kafka so that workers do not get in each other's way. */
export const isCoordination = (url: string) =>
  /\/node_modules\/(ioredis|@platformatic\/kafka|redis-parser|standard-as-callback)\//.test(url) ||
  /\/src\/(engines\/(redis|kafka)|[^/]+\/adapters\/(redis|kafka)|fleet)\//.test(url)
