import * as z from 'zod'

export const alert = z.object({
  id: z.string().describe('The rule'),
  title: z.string(),
  severity: z.enum(['info', 'warning', 'critical']),
  state: z.enum(['ok', 'pending', 'firing']).describe('`pending`: not yet for as long as the rule asks'),
  since: z.number().nullable().describe('In this state since then; milliseconds since 1970'),
  value: z.number().nullable(),
  threshold: z.number().nullable(),
  detail: z.string().describe('What is wrong, in words'),
  action: z.string().describe('What was or will be done about it'),
  silencedUntil: z.number().nullable(),
})

export type Alert = z.infer<typeof alert>

export const silence = z.strictObject({
  forMs: z
    .int()
    .min(1)
    .max(30 * 86_400_000)
    .describe('No message for so long'),
  note: z.string().max(1000).default('').describe('Why, for people'),
})

export type Silence = z.infer<typeof silence>
