import * as z from 'zod'
import { moment } from './paging.ts'

export const worker = z.object({
  id: z.string(),
  role: z.string(),
  host: z.string().describe('The machine'),
  pid: z.int(),
  region: z.string(),
  version: z.string(),
  startedAt: moment,
  alive: z.boolean(),
  silentMs: z.number().describe('Since its last sign of life'),
  cpuShare: z.number().nullable().describe('Cores in use: 1 is one whole core; null: not known yet'),
  memoryBytes: z.number().nullable(),
  bytesPerSecond: z.number().nullable(),
  pagesPerSecond: z.number().nullable(),
  pages: z.number().describe('Since it began'),
  openHosts: z.int(),
  storageLagMs: z.number().nullable().describe('How long the oldest page waits to be safe'),
  crawls: z.array(z.string()),
})

export type Worker = z.infer<typeof worker>
