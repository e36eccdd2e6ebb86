import * as z from 'zod'

const durationMs = z.number().int().min(0)

export const dnsConfig = z.strictObject({
  servers: z
    .array(
      z
        .string()
        .regex(/^(\d{1,3}(\.\d{1,3}){3}(:\d{1,5})?|\[[0-9a-fA-F:.]+\](:\d{1,5})?|[0-9a-fA-F:]+)$/, 'not an address'),
    )
    .default([])
    .describe('Name servers to ask, as `address` or `address:port`; none: those of the system, then its hosts file'),
  queryTimeoutMs: durationMs.min(1).default(2000).describe('How long one question to one server may take'),
  tries: z.number().int().min(1).max(10).default(2).describe('How often a question is sent before it counts as failed'),
  assumedTtlMs: durationMs.default(60_000).describe('Lifetime of answers from the system, which tells none'),
  notFoundTtlMs: durationMs.default(300_000).describe('How long a name that does not exist is remembered as such'),
  failedTtlMs: durationMs.default(5000).describe('How long a failed look-up is remembered'),
  minTtlMs: durationMs.default(30_000).describe('Answers with a shorter lifetime are kept this long'),
  maxTtlMs: durationMs.default(86_400_000).describe('Answers with a longer lifetime are kept only this long'),
  maxNames: z
    .number()
    .int()
    .min(1)
    .default(50_000)
    .describe('Names remembered; the longest unused are forgotten first'),
  maxLookups: z.number().int().min(1).default(64).describe('Look-ups under way at the same time'),
  hotAfter: z
    .number()
    .int()
    .min(1)
    .default(3)
    .describe('A name asked for this often in one lifetime is renewed before it expires'),
})

export type DnsConfig = z.infer<typeof dnsConfig>
