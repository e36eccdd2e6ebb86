import type { Redis } from 'ioredis'

export interface KindSize {
  readonly kind: string
  keys: number
  bytes: number
}

/**
 * What each kind of key takes in a Redis that holds nothing else, with names and tables, as the engine tells it. A kind is
 * the first word of a name after the shard's tag, and after the crawl's name where it belongs to a crawl.
 */
export async function sizesByKind(redis: Redis): Promise<KindSize[]> {
  const kinds = new Map<string, KindSize>()
  for await (const keys of redis.scanStream({ count: 1000 }) as AsyncIterable<string[]>) {
    if (keys.length === 0) continue
    const asked = redis.pipeline(keys.map((key) => ['memory', 'usage', key, 'samples', '0']))
    const sizes = (await asked.exec()) ?? []
    keys.forEach((key, i) => {
      const kind = kindOf(key)
      const size = kinds.get(kind) ?? { kind, keys: 0, bytes: 0 }
      kinds.set(kind, size)
      size.keys++
      size.bytes += Number(sizes[i]?.[1] ?? 0)
    })
  }
  return [...kinds.values()].sort((a, b) => b.bytes - a.bytes)
}

export function kindOf(key: string): string {
  const [, name = key] = key.split('}:')
  const [, ofCrawl] = /^crawl:[^:]*:([^:]+)/.exec(name) ?? []
  return ofCrawl ?? `fleet's ${name.split(':')[0]}`
}

export async function usedBytes(redis: Redis): Promise<number> {
  return Number(/^used_memory:(\d+)/m.exec(await redis.info('memory'))?.[1])
}
