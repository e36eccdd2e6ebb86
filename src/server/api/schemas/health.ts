import * as z from 'zod'

export const check = z.object({ what: z.string(), ok: z.boolean(), says: z.string() })

export type Check = z.infer<typeof check>

export const health = z.object({ status: z.enum(['ok', 'unavailable']), version: z.string(), checks: z.array(check) })

export type Health = z.infer<typeof health>
