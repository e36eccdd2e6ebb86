import * as z from 'zod'
import { moment } from './paging.ts'

export const role = z.enum(['viewer', 'operator', 'admin']).describe('Each may do what those before it may')

export type Role = z.infer<typeof role>

export const session = z.object({
  name: z.string().describe('Whose token it is'),
  role,
  kind: z.enum(['folder', 'fleet']),
  version: z.string(),
})

export const auditEntry = z.object({
  at: moment,
  who: z.string(),
  role,
  from: z.string().describe('The address the request came from'),
  action: z.string().describe('The operation, as in the API'),
  target: z.string().describe('What it was about'),
  details: z.unknown().optional(),
  status: z.int(),
})

export type AuditEntry = z.infer<typeof auditEntry>
