/**
 * The shards that a worker serves before all others do. Everybody who knows the same workers comes to the same answer
 * without asking; every shard is near to somebody, each worker has as many as any other, give or take one, and when one
 * comes or goes few others change hands. Where there are more workers than shards, some share one.
 */
export function nearShards(
  me: string,
  workers: readonly string[],
  shards: number,
  hash: (text: string) => number,
): ReadonlySet<number> {
  const each = Math.floor(shards / workers.length)
  let withOneMore = shards % workers.length
  const served = new Map<string, number[]>(workers.map((worker) => [worker, []]))
  for (let shard = 0; shard < shards; shard++) {
    const most = withOneMore > 0 ? each + 1 : each
    const withRoom = workers.filter((worker) => served.get(worker)!.length < most)
    const mine = served.get(nearest(withRoom, (worker) => hash(`${shard} ${worker}`)))!
    mine.push(shard)
    if (mine.length > each) withOneMore--
  }
  const mine = served.get(me) ?? []
  return new Set(mine.length > 0 ? mine : [hash(me) % shards])
}

function nearest(workers: readonly string[], distance: (worker: string) => number): string {
  const distances = workers.map(distance)
  return workers[distances.indexOf(Math.min(...distances))]!
}
