import * as z from 'zod'

/** RFC 9457. */
export const problem = z.object({
  type: z.string().describe('Names the kind of problem: `about:blank`, or a URI reference'),
  title: z.string().describe('The kind of problem, the same each time'),
  status: z.int(),
  detail: z.string().describe('What is wrong here, and what to do'),
  instance: z.string().optional().describe('The request, as it is named in logs'),
  faults: z
    .array(z.object({ at: z.string(), message: z.string() }))
    .optional()
    .describe('Each fault of the request and where it is'),
})

export type Problem = z.infer<typeof problem>
