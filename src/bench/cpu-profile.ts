/** A function on the stack. */
export interface Frame {
  readonly functionName: string
  readonly url: string
}

/** A V8 CPU profile (`node --cpu-prof` writes one for each thread), as far as it is read here. */
export interface CpuProfile {
  readonly nodes: readonly { readonly id: number; readonly callFrame: Frame; readonly children?: readonly number[] }[]
  readonly samples: readonly number[]
  /** µs before each sample. */
  readonly timeDeltas: readonly number[]
}

/** A stack that was seen, innermost frame first, and for how long. */
export interface Stack {
  readonly frames: readonly Frame[]
  readonly us: number
}

export function stacksOf({ nodes, samples, timeDeltas }: CpuProfile): Stack[] {
  const usByNode = new Map<number, number>()
  for (const [n, node] of samples.entries())
    usByNode.set(node, (usByNode.get(node) ?? 0) + Math.max(0, timeDeltas[n] ?? 0))
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
