import * as z from 'zod'
import { mostRedirects } from '../frontier/frontier.ts'

export const workerConfig = z.strictObject({
  concurrency: z
    .int()
    .min(1)
    .nullable()
    .default(null)
    .describe(
      'Requests under way at the same time, over all hosts. null: as many as bring more answers, found while crawling.',
    ),
  maxMemoryBytes: z
    .int()
    .min(1)
    .nullable()
    .default(null)
    .describe('Memory over which fewer requests are made at the same time. null: half of what the machine has.'),
  threads: z
    .int()
    .min(0)
    .max(64)
    .nullable()
    .default(null)
    .describe(
      'Threads that fetch and parse, beside the one that stores. 0: all in one thread. null: one less than there are cores, up to 8.',
    ),
  hostsAtOnce: z
    .int()
    .min(1)
    .default(20_000)
    .describe('Hosts that are held at the same time, most of them waiting for their pace.'),
  maxRedirects: z
    .int()
    .min(0)
    .max(mostRedirects)
    .default(10)
    .describe(
      'Redirects followed in a row, 19 at most; the target of one more is not offered, and counted as `too-many-redirects`.',
    ),
  politenessKey: z
    .enum(['host', 'domain'])
    .default('host')
    .describe('Who is paced as one: each host, or all hosts of a registrable domain.'),
  text: z.boolean().default(true).describe('Keep visible text, its language and its fingerprint; off: links only.'),
  index: z.boolean().default(true).describe('Make pages searchable.'),
})

export type WorkerConfig = z.infer<typeof workerConfig>
