import type { HostEntry } from '../../../frontier/ledger.ts'
import { Refusal } from '../../../orchestrator/refusal.ts'
import type { HostDecision, HostDecisions } from '../../../politeness/host-decisions.ts'
import { type HostKey, withoutPort } from '../../../url/keys.ts'
import type { Desk, Handlers } from '../handler.ts'
import type { Host, HostSetting, HostSettingEntry } from '../schemas/host.ts'
import { crawlContext } from './crawl-context.ts'

type Names =
  | 'listHosts'
  | 'getHost'
  | 'listHostSettings'
  | 'setHost'
  | 'forgetHost'
  | 'blockHost'
  | 'unblockHost'
  | 'pauseHost'
  | 'resumeHost'

export const hostHandlers: Handlers<Names> = {
  async listHosts(desk, { params, query }) {
    const { reader } = await crawlContext(desk, params.crawl)
    const { total, hosts } = await reader.ledger.findHosts({ ...query, search: query.search.toLowerCase() })
    return { total, hosts: hosts.map((host) => hostWith(desk.operations.hosts, host)) }
  },
  async getHost(desk, { params }) {
    const { reader } = await crawlContext(desk, params.crawl)
    const host = await reader.ledger.host(params.host as HostKey)
    if (!host) throw new Refusal('not-found', `${params.crawl} does not know the host ${params.host}.`)
    return hostWith(desk.operations.hosts, host)
  },
  async listHostSettings({ operations }) {
    const entries = await operations.hosts.list()
    return { settings: entries.map(({ host, setting }) => ({ host, setting: { ...setting } as HostSetting })) }
  },
  async setHost({ operations }, { params, body }) {
    await operations.hosts.set(params.pattern, body)
    return { host: params.pattern, setting: body }
  },
  async forgetHost({ operations }, { params }) {
    if (!(await operations.hosts.remove(params.pattern)))
      throw new Refusal('not-found', `Nothing is decided for ${params.pattern}.`)
    return undefined
  },
  blockHost: (desk, { params }) => decide(desk, params.pattern, { block: true }),
  unblockHost: (desk, { params }) => decide(desk, params.pattern, { block: false }),
  pauseHost: (desk, { params }) => decide(desk, params.pattern, { pause: true }),
  resumeHost: (desk, { params }) => decide(desk, params.pattern, { pause: false }),
}

function hostWith(decisions: HostDecisions, { host, ...entry }: HostEntry): Host {
  return { host, ...entry, setting: { ...decisions.for(withoutPort(host)) } as HostSetting }
}

/** Changes one thing and leaves the others as they were decided. */
async function decide({ operations }: Desk, host: string, change: HostDecision): Promise<HostSettingEntry> {
  const before = (await operations.hosts.list()).find((entry) => entry.host === host)?.setting
  const decision = { ...before, ...change } as HostSetting
  await operations.hosts.set(host, decision)
  return { host, setting: decision }
}
