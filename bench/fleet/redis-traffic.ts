import type { Redis } from 'ioredis'

/** What a Redis server has done since it started, by its own count. */
export interface RedisTraffic {
  /** Commands by name, those inside scripts too. */
  readonly commands: Readonly<Record<string, number>>
  /** Times that something was read from a connection: a pipeline or a script is one. */
  readonly reads: number
  readonly cpuMs: number
  readonly bytesIn: number
  readonly bytesOut: number
}

/** Of one server; in a Cluster ask every master and add up. */
export async function trafficOf(redis: Redis): Promise<RedisTraffic> {
  return readTraffic(await redis.info('commandstats', 'stats', 'cpu'))
}

export function readTraffic(info: string): RedisTraffic {
  const number = (name: string) => Number(new RegExp(`^${name}:([\\d.]+)`, 'm').exec(info)?.[1] ?? 0)
  const calls = [...info.matchAll(/^cmdstat_([^:]+):calls=(\d+)/gm)].map(([, name, count]) => [name, Number(count)])
  return {
    commands: Object.fromEntries(calls),
    reads: number('total_reads_processed'),
    cpuMs: 1000 * (number('used_cpu_user') + number('used_cpu_sys')),
    bytesIn: number('total_net_input_bytes'),
    bytesOut: number('total_net_output_bytes'),
  }
}

export function trafficBetween(before: RedisTraffic, after: RedisTraffic): RedisTraffic {
  const commands = Object.entries(after.commands)
    .map(([name, calls]) => [name, calls - (before.commands[name] ?? 0)] as const)
    .filter(([name, calls]) => calls > 0 && name !== 'info')
  return {
    commands: Object.fromEntries(commands),
    reads: after.reads - before.reads,
    cpuMs: after.cpuMs - before.cpuMs,
    bytesIn: after.bytesIn - before.bytesIn,
    bytesOut: after.bytesOut - before.bytesOut,
  }
}

export interface TrafficOfPage {
  /** Commands, those inside scripts too. */
  readonly operations: number
  readonly scripts: number
  readonly roundTrips: number
  readonly redisCpuMs: number
  readonly bytes: number
  /** The most frequent first. */
  readonly commands: Readonly<Record<string, number>>
}

export function trafficOfPage(
  { commands, reads, cpuMs, bytesIn, bytesOut }: RedisTraffic,
  pages: number,
): TrafficOfPage {
  const each = (value: number) => Number((value / pages).toFixed(4))
  const sum = Object.values(commands).reduce((all, calls) => all + calls, 0)
  const scripts = Object.entries(commands).reduce(
    (all, [name, calls]) => (/^(eval|fcall)/.test(name) ? all + calls : all),
    0,
  )
  const frequent = Object.entries(commands).sort(([, a], [, b]) => b - a)
  return {
    operations: each(sum),
    scripts: each(scripts),
    roundTrips: each(reads),
    redisCpuMs: each(cpuMs),
    bytes: each(bytesIn + bytesOut),
    commands: Object.fromEntries(frequent.slice(0, 8).map(([name, calls]) => [name, each(calls)])),
  }
}
