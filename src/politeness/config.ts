import * as z from 'zod'

const durationMs = z.int().min(0)

/** A host name, in lower case, or `*.domain`. */
export const HOST_PATTERN =
  /^(?:\*\.)?(?:[a-z0-9_](?:[a-z0-9_-]*[a-z0-9_])?\.)*[a-z0-9_](?:[a-z0-9_-]*[a-z0-9_])?$|^\[[0-9a-f:.]+\]$/

export const hostSettingsConfig = z.strictObject({
  delayMs: durationMs.optional().describe('Time between the starts of two requests to this host'),
  burst: z.int().min(1).optional().describe('Requests that may start at once after a quiet time'),
  connections: z.int().min(1).optional().describe('Requests open at the same time'),
  ignoreRobots: z
    .boolean()
    .optional()
    .describe('Fetch without asking robots.txt, its crawl-delay included: only for hosts that are your own'),
})

export const circuitConfig = z.strictObject({
  failures: z.int().min(1).default(5).describe('Failures of a host in a row after which it is left alone for a while'),
  holdMs: durationMs.min(1).default(30_000).describe('How long at first; doubled each time it fails again'),
  maxHoldMs: durationMs.min(1).default(600_000).describe('How long at most'),
})

export const robotsConfig = z.strictObject({
  lifetimeMs: durationMs.default(86_400_000).describe('How long a robots.txt is kept before it is asked for again'),
  retryMs: z
    .array(durationMs)
    .default([1000, 2000, 4000])
    .describe(
      'Waits before a robots.txt that failed (5xx, 429, no answer) is asked for again; nothing is fetched meanwhile',
    ),
  retryLaterMs: durationMs.default(300_000).describe('The wait once those are used up'),
  maxRedirects: z
    .int()
    .min(0)
    .default(5)
    .describe('Redirects of robots.txt that are followed; beyond them there is none'),
  maxKept: z.int().min(1).default(10_000).describe('Parsed files kept in memory'),
  maxKeptBytes: z
    .int()
    .min(1)
    .default(32 * 1024 * 1024)
    .describe('What they may take there, roughly'),
})

export const politenessConfig = z.strictObject({
  delayMs: durationMs
    .default(1000)
    .describe(
      'Time between the starts of two requests to a host, a quarter of it after a robots.txt that asks for none; 0 is for your own sites',
    ),
  burst: z.int().min(1).default(1).describe('Requests that may start at once after a quiet time'),
  connections: z
    .int()
    .min(1)
    .optional()
    .describe('Requests to a host at the same time; by default 1, and 64 where the delay is 0'),
  maxGapMs: durationMs
    .default(60_000)
    .describe('A host that throttles or fails is slowed down to one request in this time'),
  throttledGapMs: durationMs
    .min(1)
    .default(1000)
    .describe('A host that throttles (429, 503) is asked no more often than this at first'),
  maxCrawlDelayMs: durationMs.default(300_000).describe('A longer crawl-delay in robots.txt counts as this'),
  maxRetryAfterMs: durationMs.default(86_400_000).describe('A longer Retry-After counts as this'),
  circuit: circuitConfig.prefault({}).describe('When a failing host is left alone'),
  robots: robotsConfig.prefault({}).describe('How long robots.txt files are kept and when they are asked for again'),
  hosts: z
    .record(z.string().regex(HOST_PATTERN, 'not a host name, in lower case, or *.domain'), hostSettingsConfig)
    .default({})
    .describe('Settings of single hosts, by name or `*.domain` (its subdomains); the most specific wins'),
})

export type PolitenessConfig = z.infer<typeof politenessConfig>
export type CircuitConfig = z.infer<typeof circuitConfig>
export type RobotsConfig = z.infer<typeof robotsConfig>
export type HostSettingsConfig = z.infer<typeof hostSettingsConfig>
