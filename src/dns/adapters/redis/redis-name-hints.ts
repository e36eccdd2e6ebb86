import { isIP } from 'node:net'
import * as z from 'zod'
import type { Clock } from '../../../clock.ts'
import type { RedisClient } from '../../../engines/redis/connect.ts'
import { Courier } from '../../../engines/redis/courier.ts'
import type { Order } from '../../../engines/redis/order.ts'
import { isPassing, strangeValue } from '../../../engines/redis/patience.ts'
import type { NameHints } from '../../name-hints.ts'
import type { Resolution } from '../../resolver.ts'

const LONGEST_MS = 86_400_000
/** Past this a name server answers sooner. */
const PATIENCE_MS = 250
const MAX_WAITING = 1000

const storedHint = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('resolved'),
    addresses: z
      .array(
        z
          .object({ address: z.string(), family: z.union([z.literal(4), z.literal(6)]) })
          .refine(({ address, family }) => isIP(address) === family),
      )
      .min(1),
  }),
  z.object({ kind: z.literal('not-found'), detail: z.string() }),
])

export interface RedisNameHintsOptions {
  readonly client: RedisClient
  readonly prefix: string
  readonly clock: Clock
  /** A hint could not be read or written, for a reason that does not pass by itself. Names are resolved all the same. */
  readonly trouble: (error: unknown) => void
}

/**
 * DNS answers shared by all workers, for as long as they live and 24 h at most. Failures are not shared: they may be the
 * asker's own. An engine that is away or slow costs a quarter of a second, and then no name waits for it.
 */
export function redisNameHints({ client, prefix, clock, trouble }: RedisNameHintsOptions): NameHints {
  const courier = new Courier({ client, patienceMs: PATIENCE_MS })
  let waiting = 0

  async function send(...orders: readonly Order[]): Promise<readonly unknown[]> {
    waiting++
    try {
      return await courier.askAll(orders)
    } finally {
      waiting--
    }
  }

  async function read(key: string): Promise<Resolution | undefined> {
    const [value, leftMs] = await send({ keys: [key], command: 'GET' }, { keys: [key], command: 'PTTL' })
    if (value === null || Number(leftMs) <= 0) return undefined
    const hint = hintOf(String(value))
    if (!hint) throw strangeValue(key)
    return { ...hint, ttlMs: Number(leftMs) }
  }

  function report(error: unknown): undefined {
    if (!isPassing(error) && client.status !== 'end') trouble(error)
  }

  return {
    async get(name) {
      if (client.status !== 'ready' || waiting >= MAX_WAITING) return undefined
      const answered = new AbortController()
      const tooLong = clock.sleep(PATIENCE_MS, answered.signal).then(() => undefined)
      const hint = await Promise.race([read(keyOf(prefix, name)).catch(report), tooLong])
      answered.abort()
      return hint
    },
    put(name, { ttlMs, ...answer }) {
      const lifeMs = Math.floor(Math.min(ttlMs, LONGEST_MS))
      if (answer.kind === 'failed' || lifeMs <= 0 || client.status !== 'ready' || waiting >= MAX_WAITING) return
      const args = [JSON.stringify(answer), 'PX', lifeMs]
      void send({ keys: [keyOf(prefix, name)], command: 'SET', args }).catch(report)
    },
  }
}

function keyOf(prefix: string, name: string): string {
  return `${prefix}:dns:${name}`
}

function hintOf(json: string) {
  try {
    return storedHint.safeParse(JSON.parse(json)).data
  } catch {
    return undefined
  }
}
