import * as z from 'zod'
import { HOST_PATTERN } from '../../../politeness/config.ts'
import { hostDecision } from '../../../politeness/host-decisions.ts'
import { frontierCounts } from './crawl.ts'
import { moment } from './paging.ts'

/** As the frontier knows it: with its port when that is not the default. */
export const hostKey = z.string().min(1).max(260).describe('A host, with its port when that is not the default')

export const hostPattern = z
  .string()
  .max(255)
  .regex(HOST_PATTERN, 'not a host name, in lower case, or *.domain')
  .describe('A host name in lower case, or *.domain')

export const hostSettingEntry = z.object({ host: z.string(), setting: hostDecision })

export type HostSettingEntry = z.infer<typeof hostSettingEntry>

export const hostRobots = z
  .object({
    state: z
      .enum(['rules', 'none', 'unavailable'])
      .describe('`none`: no file, all is allowed; `unavailable`: nothing is'),
    fetchedAt: moment,
    expiresAt: moment.describe('Asked for again then; milliseconds since 1970'),
    detail: z.string().describe('How long the file is, the status that said there is none, or why it could not be had'),
  })
  .nullable()
  .describe('What is known of its robots.txt; null: never asked for')

export type HostRobots = z.infer<typeof hostRobots>

export const host = z.object({
  host: hostKey,
  counts: frontierCounts,
  gapMs: z.number().describe('Its pace: between the starts of two requests'),
  nextTouchAt: z.number().describe('Not touched before; milliseconds since 1970'),
  hold: z.string().nullable().describe('What it waits for beyond its pace'),
  sunk: z.boolean().describe('Nearly all its new pages are copies: it is served last'),
  robots: hostRobots,
  setting: hostDecision.describe('What an operator has decided for it'),
})

export type Host = z.infer<typeof host>

export const hostSort = z.enum(['urls', 'queued', 'done', 'dead', 'excluded', 'name', 'gap', 'next'])
export type HostSort = z.infer<typeof hostSort>
export const sortOrder = z.enum(['asc', 'desc'])

export const hostPage = z.object({
  total: z.int().describe('Hosts that fit, on all pages'),
  hosts: z.array(host).describe('Each as it is now'),
  ageMs: z.number().describe('How old order and total are: of very many hosts they are not found anew each time'),
})
