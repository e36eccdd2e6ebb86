/**
 * How partitions and shards belong together. Candidates of shard s lie in partition `s mod partitions` of their band's
 * topic. Who owns partition p of the deciding topic (low, which has most partitions) owns the shards with
 * `s mod partitions = p`: every shard has one owner, whatever the numbers are. The other topics only carry, so that their
 * partitions may be owned by whomever; and partitions beyond the number of shards own nothing.
 */
export function partitionOf(shard: number, partitions: number): number {
  return shard % partitions
}

export function shardsOwnedBy(owned: readonly number[], partitions: number, shards: number): number[] {
  const ours = new Set(owned)
  return Array.from({ length: shards }, (_, shard) => shard).filter((shard) => ours.has(partitionOf(shard, partitions)))
}
