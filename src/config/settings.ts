import * as z from 'zod'
import { configSchema } from './schema.ts'

/** One setting, as help texts, environment names and the reference page need it. */
export interface Setting {
  /** Dotted: `fetch.maxBodyBytes`. */
  readonly name: string
  readonly type: string
  readonly default: unknown
  readonly description: string
}

interface Node {
  type?: string | string[]
  enum?: unknown[]
  properties?: Record<string, Node>
  description?: string
  default?: unknown
  items?: Node
  anyOf?: Node[]
}

let known: readonly Setting[] | undefined

/** Every setting there is, from the schemas of the components. */
export function settings(): readonly Setting[] {
  known ??= [...leaves('', z.toJSONSchema(configSchema, { io: 'input' }) as Node)]
  return known
}

function* leaves(name: string, node: Node): Iterable<Setting> {
  if (node.properties) {
    for (const [key, child] of Object.entries(node.properties)) yield* leaves(name ? `${name}.${key}` : key, child)
  } else {
    yield { name, type: typeName(node), default: node.default, description: node.description ?? '' }
  }
}

function typeName(node: Node): string {
  if (node.enum) return node.enum.map(String).join(' | ')
  if (node.anyOf) return node.anyOf.map(typeName).join(' | ')
  if (node.type === 'array') return `list of ${node.items ? typeName(node.items) : 'values'}`
  return String(node.type ?? 'value')
}
