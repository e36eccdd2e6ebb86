import * as z from 'zod'

export const searchHit = z.object({
  url: z.string(),
  title: z.string(),
  score: z.number().describe('Higher is better; comparable within one answer only'),
  excerpt: z.string().describe('Plain text; each match stands between U+0002 and U+0003'),
})

export const searchAnswer = z.object({
  hits: z.array(searchHit),
  more: z.boolean().describe('Whether there may be further ones'),
})

export type SearchAnswer = z.infer<typeof searchAnswer>
