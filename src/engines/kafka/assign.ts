/** What each member of a group holds, or is to hold: partitions by topic. */
export type Holdings = ReadonlyMap<string, readonly number[]>

export interface Claim {
  readonly member: string
  /** Of the group, when the member got what it holds. */
  readonly generation: number
  readonly holds: Holdings
}

/**
 * Shares out partitions: of every topic each member gets as many as the others, and keeps what it holds as far as that
 * allows. A partition on its way to another member is given to nobody yet: its holder learns that it has lost it and
 * joins again, and only then is it handed on. So no partition ever has two owners, and members that keep theirs go on
 * working meanwhile.
 *
 * Each topic is shared out for itself, since owning partitions of one topic (of low priority) decides who owns hosts: a
 * member with none of those would stand idle, however much of the others it had.
 */
export function assign(claims: readonly Claim[], partitions: ReadonlyMap<string, number>): Map<string, Holdings> {
  const members = claims.map(({ member }) => member).sort()
  const shares = new Map(members.map((member) => [member, new Map<string, number[]>()]))
  // Who gets one more than others differs by topic.
  for (const [index, [topic, count]] of [...partitions].sort(byName).entries())
    for (const [member, share] of assignTopic(rotated(members, index), claims, topic, count))
      shares.get(member)!.set(topic, share)
  return shares
}

function assignTopic(members: readonly string[], claims: readonly Claim[], topic: string, count: number) {
  const targets = balance(members, holdersOf(claims, topic, count), count)
  const claimedByOther = (member: string, partition: number) =>
    claims.some((claim) => claim.member !== member && claim.holds.get(topic)?.includes(partition))
  return new Map(
    [...targets].map(([member, share]) => [
      member,
      share.filter((partition) => !claimedByOther(member, partition)).sort((a, b) => a - b),
    ]),
  )
}

/** Of several who claim a partition, the one that was given it last. */
function holdersOf(claims: readonly Claim[], topic: string, count: number): Map<number, string> {
  const holders = new Map<number, string>()
  for (const { member, holds } of claims.toSorted((a, b) => a.generation - b.generation))
    for (const partition of holds.get(topic) ?? []) if (partition < count) holders.set(partition, member)
  return holders
}

function balance(members: readonly string[], holders: ReadonlyMap<number, string>, count: number) {
  const targets = new Map<string, number[]>(members.map((member) => [member, []]))
  const all = Array.from({ length: count }, (_, partition) => partition)
  for (const partition of all) targets.get(holders.get(partition) ?? '')?.push(partition)
  const free = all.filter((partition) => !targets.has(holders.get(partition) ?? ''))
  const quotas = quotasOf(members, targets, count)
  for (const [member, share] of targets) free.push(...share.splice(quotas.get(member)!))
  for (const [member, share] of targets) share.push(...free.splice(0, quotas.get(member)! - share.length))
  return targets
}

/** The partitions that are left over go to those who hold most: then least has to move. */
function quotasOf(members: readonly string[], held: ReadonlyMap<string, readonly number[]>, count: number) {
  const least = Math.floor(count / members.length)
  const oneMore = count - least * members.length
  const byHeld = members.toSorted((a, b) => held.get(b)!.length - held.get(a)!.length)
  return new Map(byHeld.map((member, index) => [member, least + (index < oneMore ? 1 : 0)]))
}

const byName = ([a]: readonly [string, number], [b]: readonly [string, number]) => (a < b ? -1 : 1)

const rotated = <T>(all: readonly T[], by: number) => all.map((_, index) => all[(index + by) % all.length]!)
