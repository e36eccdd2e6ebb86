import type { CrawlReader } from '../../../crawl-reader.ts'
import type { HostEntry } from '../../../frontier/ledger.ts'
import { Refusal } from '../../../orchestrator/refusal.ts'
import type { HostDecision, HostDecisions } from '../../../politeness/host-decisions.ts'
import type { RobotsEntry } from '../../../politeness/robots-store.ts'
import { type HostKey, type Origin, withoutPort } from '../../../url/keys.ts'
import type { Desk, Handlers } from '../handler.ts'
import type { Host, HostRobots, HostSettingEntry } from '../schemas/host.ts'
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
    const { total, ageMs, hosts } = await reader.ledger.findHosts({ ...query, search: query.search.toLowerCase() })
    return {
      ...{ total, ageMs },
      hosts: await Promise.all(hosts.map((host) => hostWith(desk.operations.hosts, host, reader.robots))),
    }
  },
  async getHost(desk, { params }) {
    const { reader } = await crawlContext(desk, params.crawl)
    const host = await reader.ledger.host(params.host as HostKey)
    if (!host) throw new Refusal('not-found', `${params.crawl} does not know the host ${params.host}.`)
    return hostWith(desk.operations.hosts, host, reader.robots)
  },
  async listHostSettings({ operations }) {
    const entries = await operations.hosts.list()
    return { settings: [...entries] }
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

type Robots = CrawlReader['robots']

async function hostWith(decisions: HostDecisions, { host, ...entry }: HostEntry, robots: Robots): Promise<Host> {
  return { host, ...entry, robots: await robotsOf(host, robots), setting: decisions.for(withoutPort(host)) }
}

/** A host is known by its name, a robots.txt by the origin: of two, that of HTTPS is shown. */
async function robotsOf(host: string, robots: Robots): Promise<HostRobots> {
  const entry = (await robots.get(`https://${host}` as Origin)) ?? (await robots.get(`http://${host}` as Origin))
  if (!entry) return null
  const { kind: state, fetchedAt, expiresAt } = entry
  return { state, fetchedAt, expiresAt, detail: robotsInWords(entry) }
}

function robotsInWords(entry: RobotsEntry): string {
  switch (entry.kind) {
    case 'rules':
      return `${entry.text.length} characters`
    case 'none':
      return `status ${entry.status}`
    case 'unavailable':
      return entry.code ?? entry.detail
    default:
      return entry satisfies never
  }
}

/** Changes one thing and leaves the others as they were decided. */
async function decide({ operations }: Desk, host: string, change: HostDecision): Promise<HostSettingEntry> {
  const before = (await operations.hosts.list()).find((entry) => entry.host === host)?.setting
  const decision = { ...before, ...change }
  await operations.hosts.set(host, decision)
  return { host, setting: decision }
}
