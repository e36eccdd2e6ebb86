import * as z from 'zod'

export const frontierConfig = z.strictObject({
  bandWeights: z
    .tuple([z.number().positive(), z.number().positive(), z.number().positive()])
    .default([70, 20, 10])
    .describe('Shares in which the bands high, medium and low are visited.'),
  leaseMs: z
    .number()
    .int()
    .min(100)
    .default(20_000)
    .describe('How long a worker may hold a host without renewing: so long the hosts of one that died wait.'),
  maxUrlsPerHost: z
    .number()
    .int()
    .nonnegative()
    .default(0)
    .describe('URLs remembered for one host; further ones are excluded as `host-budget`. 0: no limit.'),
  expectedUrls: z
    .number()
    .int()
    .positive()
    .default(1_000_000)
    .describe('URLs that the crawl may come to know: the first size of the Bloom filter, which grows when needed.'),
})

export type FrontierConfig = z.infer<typeof frontierConfig>
