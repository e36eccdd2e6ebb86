import * as z from 'zod'
import { moment } from './paging.ts'

export const scaling = z.object({
  at: moment,
  workers: z.int().describe('That live'),
  wantedWorkers: z.int().describe('That the load asks for: what KEDA’s metrics-api scaler reads, with a target of 1'),
  servedHosts: z.number().describe('Hosts that workers serve'),
  waitingHosts: z.number().describe('Hosts that might be touched now and are not'),
  oldestWaitMs: z.number().describe('How long the first of them that nobody took has been waiting'),
  cpuShare: z.number().nullable().describe('Of the workers’ cores'),
  memoryShare: z.number().nullable(),
  reasons: z.array(z.string()).describe('In words'),
  dryRun: z.boolean().describe('Whether it is only said, and not done'),
})
