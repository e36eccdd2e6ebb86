import * as z from 'zod'

const share = (value: number) => z.number().gt(0).max(1).default(value)

export const scalingConfig = z.strictObject({
  pool: z
    .enum(['none', 'local', 'kubernetes'])
    .default('none')
    .describe(
      'Who starts and stops workers. `local`: child processes of the leading `serve`. `kubernetes`: the scale of a deployment. `none`: nobody; the number that the load asks for is only told.',
    ),
  dryRun: z.boolean().default(false).describe('Only say what would be done.'),
  minWorkers: z.int().min(0).default(1).describe('Never fewer workers.'),
  maxWorkers: z.int().min(1).default(10).describe('Never more workers.'),
  targetCpuShare: share(0.75).describe('CPU of a worker, as a share of its cores, over which there should be more.'),
  targetMemoryShare: share(0.85).describe('Memory of a worker, as a share of what it may use.'),
  waitingGraceMs: z
    .int()
    .min(0)
    .default(2000)
    .describe('A host counts as waiting when nobody has taken it for so long after it might have been touched.'),
  everyMs: z.int().min(100).default(5000).describe('How often the load is looked at.'),
  upCoolDownMs: z.int().min(0).default(60_000).describe('After a change, no growth for so long.'),
  downCoolDownMs: z
    .int()
    .min(0)
    .default(300_000)
    .describe('Workers leave only when for so long fewer would have been enough, and nothing was changed.'),
  tolerance: z
    .number()
    .min(0)
    .max(1)
    .default(0.1)
    .describe('A load that differs from what the workers bear by less than this share changes nothing.'),
  replaceAfterMs: z
    .int()
    .min(5000)
    .default(60_000)
    .describe('A worker of the pool that has been silent for so long is ended, and another takes its place.'),
  deployment: z.string().default('orbweaver-worker').describe('With `kubernetes`: the name of the deployment.'),
  namespace: z.string().default('').describe('With `kubernetes`; empty: that of the service account.'),
})

export type ScalingConfig = z.infer<typeof scalingConfig>
