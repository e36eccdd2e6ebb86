import type { Operations } from '../orchestrator/operations.ts'
import type { Actions } from './alert-board.ts'
import type { AlertsConfig } from './config.ts'
import { checksInWords, type NetworkCheck } from './network-checks.ts'

export interface ActionParts {
  readonly operations: Operations
  readonly config: Pick<AlertsConfig, 'fewerLinks'>
  /** Asks for more workers; `undefined`: nobody here starts any. */
  readonly urgeWorkers: (() => void) | undefined
  readonly checkNetwork: (hosts: readonly string[]) => Promise<readonly NetworkCheck[]>
}

/** What the orchestrator does by itself: nothing that loses work, and nothing that cannot be taken back. */
export function alertActions({ operations, config, urgeWorkers, checkNetwork }: ActionParts): Actions {
  const { crawls } = operations
  const before = new Map<string, number>()
  const running = async () =>
    (await operations.counters()).crawls.filter(({ state }) => state === 'running').map(({ id }) => id)

  async function takeFewerLinks(): Promise<string> {
    for (const id of await running()) {
      const links = await linksOf(operations, id)
      if (links > 0 && links <= config.fewerLinks) continue
      before.set(id, links)
      await crawls.change(id, { maxLinksPerPage: config.fewerLinks })
    }
    return `At most ${config.fewerLinks} links are taken from each page.`
  }

  /** Whoever led before may have done it: what has our number and is not remembered had none before. */
  async function takeLinksAgain(): Promise<string> {
    for (const id of await running()) {
      if ((await linksOf(operations, id)) !== config.fewerLinks) continue
      await crawls.change(id, { maxLinksPerPage: before.get(id) ?? 0 })
    }
    before.clear()
    return 'As many links as before are taken from each page.'
  }

  return {
    ...(urgeWorkers && {
      async 'scale-up'(begins: boolean) {
        if (!begins) return ''
        urgeWorkers()
        return 'More workers are asked for.'
      },
    }),
    'fewer-links': (begins) => (begins ? takeFewerLinks() : takeLinksAgain()),
    async 'rebuild-filter'(begins) {
      if (!begins || operations.kind === 'folder') return ''
      // Workers begin again with settings that were amended, and with a filter that they make anew.
      for (const id of await running()) await crawls.change(id, { maxLinksPerPage: await linksOf(operations, id) })
      return 'Workers make their filters of known URLs anew.'
    },
    async 'check-network'(begins) {
      if (!begins) return ''
      const hosts = new Set<string>()
      for (const id of await running())
        for (const seed of (await crawls.read(id)).orders.seeds.slice(0, seedsTried)) hosts.add(hostIn(seed))
      const network = await checkNetwork([...hosts].filter((host) => host !== '').slice(0, hostsTried))
      return checksInWords([...network, ...(await operations.checks())])
    },
  }
}

const seedsTried = 5
const hostsTried = 10

async function linksOf({ crawls }: Operations, id: string): Promise<number> {
  const { config } = (await crawls.read(id)).orders
  return Number((config as { limits?: { maxLinksPerPage?: number } } | null)?.limits?.maxLinksPerPage ?? 0)
}

const hostIn = (seed: string) => URL.parse(seed.includes('://') ? seed : `https://${seed}`)?.host ?? ''
