import type { EngineNode } from './credentials.ts'

/** How long a node is passed over after it failed, while others answer. */
const REST_MS = 5000

/** Takes turns between the nodes, and passes over those that failed a moment ago, unless all of them did. */
export class NodeRota {
  readonly #nodes: readonly EngineNode[]
  readonly #restsUntil: number[]
  #next = 0

  constructor(nodes: readonly EngineNode[]) {
    this.#nodes = nodes
    this.#restsUntil = nodes.map(() => 0)
  }

  get size(): number {
    return this.#nodes.length
  }

  take(now: number): EngineNode {
    for (let tried = 0; tried < this.#nodes.length; tried++) {
      const at = this.#turn()
      if (this.#restsUntil[at]! <= now) return this.#nodes[at]!
    }
    return this.#nodes[this.#turn()]!
  }

  failed(node: EngineNode, now: number): void {
    this.#restsUntil[this.#nodes.indexOf(node)] = now + REST_MS
  }

  #turn(): number {
    const at = this.#next
    this.#next = (at + 1) % this.#nodes.length
    return at
  }
}
