import * as z from 'zod'

export const recrawlConfig = z
  .strictObject({
    minMs: z
      .int()
      .nonnegative()
      .default(0)
      .describe(
        'Visit pages again, the same one not sooner than after this; the crawl then goes on until it is stopped. 0: every page is visited once.',
      ),
    maxMs: z
      .int()
      .nonnegative()
      .default(0)
      .describe(
        'And not later than after this: between the two each page has its own interval, by how often it changes. 0: `minMs`, the same for all.',
      ),
  })
  .refine(({ minMs, maxMs }) => maxMs === 0 || (minMs > 0 && maxMs >= minMs), {
    path: ['maxMs'],
    message: 'must not be less than recrawl.minMs, which must be set too',
  })

export type RecrawlConfig = z.infer<typeof recrawlConfig>

/** The shortest and the longest time between two visits. `undefined`: pages are visited once. */
export function intervalsOf({ minMs, maxMs }: RecrawlConfig): Intervals | undefined {
  return minMs === 0 ? undefined : { minMs, maxMs: maxMs || minMs }
}

export interface Intervals {
  readonly minMs: number
  readonly maxMs: number
}
