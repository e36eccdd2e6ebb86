import * as z from 'zod'

export const setting = z.object({
  name: z.string(),
  value: z.unknown(),
  isDefault: z.boolean(),
  help: z.string(),
})

export const configuration = z.object({
  settings: z.array(setting).describe('Every setting; secrets are shown as ••••'),
})

export type Configuration = z.infer<typeof configuration>
