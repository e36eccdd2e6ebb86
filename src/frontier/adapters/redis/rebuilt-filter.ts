import { type BloomFilter, bloomFilter } from '../../../dedup/bloom.ts'
import type { Script } from '../../../engines/redis/script.ts'
import type { ShardCalls } from './shard-calls.ts'

/** A filter of everything that the crawl has seen, read from the engine some buckets at a time. */
export async function rebuiltFilter(
  calls: ShardCalls,
  script: Script,
  shards: number,
  expectedUrls: number,
): Promise<BloomFilter> {
  const filter = bloomFilter(expectedUrls)
  for (let shard = 0; shard < shards; shard++)
    for (let bucket = 0; bucket >= 0; ) {
      const [next, ...fingerprints] = (await calls.run(script, shard, [bucket])) as [number, ...string[]]
      for (const fingerprint of fingerprints) filter.add(Number(fingerprint))
      bucket = next
    }
  return filter
}
