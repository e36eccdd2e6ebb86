import * as z from 'zod'
import { discoveryConfig } from '../discovery/config.ts'
import { dnsConfig } from '../dns/config.ts'
import { enginesConfig } from '../engines/config.ts'
import { fetchConfig } from '../fetch/config.ts'
import { frontierConfig } from '../frontier/config.ts'
import { monitorConfig } from '../monitor/config.ts'
import { orchestratorConfig } from '../orchestrator/config.ts'
import { parseConfig } from '../parse/config.ts'
import { politenessConfig } from '../politeness/config.ts'
import { recrawlConfig } from '../schedule/config.ts'
import { serverConfig } from '../server/config.ts'
import { storeConfig } from '../store/config.ts'
import { urlConfig } from '../url/config.ts'
import { workerConfig } from '../worker/config.ts'
import { limitsConfig } from '../worker/limits.ts'

/** The schemas of all components, joined. Every default and description stands beside its component. */
export const configSchema = z.strictObject({
  limits: limitsConfig.prefault({}),
  url: urlConfig.prefault({}),
  discovery: discoveryConfig.prefault({}),
  recrawl: recrawlConfig.prefault({}),
  frontier: frontierConfig.prefault({}),
  politeness: politenessConfig.prefault({}),
  dns: dnsConfig.prefault({}),
  allowPrivate: z
    .array(z.string())
    .default([])
    .describe('Hosts (or `*`) that may be reached at private addresses; those named as seeds always may.'),
  fetch: fetchConfig.prefault({}),
  parse: parseConfig.prefault({}),
  store: storeConfig.prefault({}),
  worker: workerConfig.prefault({}),
  engines: enginesConfig.prefault({}),
  server: serverConfig.prefault({}),
  orchestrator: orchestratorConfig.prefault({}),
  monitor: monitorConfig.prefault({}),
})

export type Config = z.infer<typeof configSchema>

/** The same with everything optional: what a file or a caller gives. */
export type ConfigInput = z.input<typeof configSchema>
