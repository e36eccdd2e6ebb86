/** A function on the stack. */
export interface Frame {
  readonly functionName: string
  readonly url: string
}

/** A V8 CPU profile (`node --cpu-prof` writes one for each thread), as far as it is read here. */
export interface CpuProfile {
  readonly nodes: readonly { readonly id: number; readonly callFrame: Frame; readonly children?: readonly number[] }[]
  /** µs of the system's monotonic clock. */
  readonly startTime: number
  readonly samples: readonly number[]
  /** µs before each sample. */
  readonly timeDeltas: readonly number[]
}

/** A stack that was seen, innermost frame first, and for how long. */
export interface Stack {
  readonly frames: readonly Frame[]
  readonly us: number
}

/** `sinceUs`: leaves out what was seen before, by the same clock. */
export function stacksOf(
  { nodes, startTime, samples, timeDeltas }: CpuProfile,
  sinceUs = Number.NEGATIVE_INFINITY,
): Stack[] {
  const usByNode = new Map<number, number>()
  let atUs = startTime
  for (const [n, node] of samples.entries()) {
    const us = timeDeltas[n] ?? 0
    atUs += us
    if (atUs >= sinceUs) usByNode.set(node, (usByNode.get(node) ?? 0) + Math.max(0, us))
  }
  const byId = new Map(nodes.map((node) => [node.id, node]))
  const parents = new Map(nodes.flatMap(({ id, children = [] }) => children.map((child) => [child, id] as const)))
  return [...usByNode].map(([leaf, us]) => {
    const frames: Frame[] = []
    for (let id: number | undefined = leaf; id !== undefined; id = parents.get(id)) {
      const node = byId.get(id)
      if (node) frames.push(node.callFrame)
    }
    return { frames, us }
  })
}
