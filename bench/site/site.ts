import { responseCode } from '../../test/web/dns/message.ts'
import { startDnsServer } from '../../test/web/dns/server.ts'
import { hasManyLoopbackAddresses } from '../../test/web/listeners.ts'
import { createAuthority } from '../../test/web/tls/authority.ts'
import { answering } from './answering.ts'
import { startControl } from './control.ts'
import { corpusFolder, readCorpus } from './corpus.ts'
import { openDoors } from './doors.ts'
import { addressesOf, addressOf, hostName, knownHost } from './hosts.ts'
import { inventedPages } from './invented.ts'
import { type Layout, layout } from './layout.ts'
import type { SiteOptions } from './options.ts'
import { type Averages, type Pages, pages } from './pages.ts'
import { Visits } from './visits.ts'

/** A site with pages like real ones, in this process. */
export interface Site extends AsyncDisposable {
  /** `/` of every host: together they lead to all pages. */
  readonly seeds: readonly string[]
  /** The first host by its address, for crawlers that cannot be told a name server; null with TLS. */
  readonly addressSeed: string | null
  readonly dns: string
  readonly control: string
  /** PEM; null without TLS. */
  readonly caCertificate: string | null
  /** The folder that its pages came from; null: invented. */
  readonly corpus: string | null
  readonly averages: Averages
  readonly layout: Layout
  readonly pages: Pages
  readonly visits: Visits
}

export async function openSite(options: SiteOptions): Promise<Site> {
  await using stack = new AsyncDisposableStack()
  const plan = layout(options.pages, options.hosts)
  const corpus = corpusFolder(options.corpus)
  const documents = corpus === undefined ? inventedPages() : readCorpus(corpus)
  const content = pages(plan, documents, options.keepAlive ? 'keep-alive' : 'close')
  const visits = new Visits(plan)
  const averages = content.prepare()

  const isShared = !(await hasManyLoopbackAddresses())
  const authority = options.tls ? createAuthority(Date.now()) : undefined
  const answer = answering({ ...options, layout: plan, pages: content, visits })
  const { port } = stack.use(await openDoors(addressesOf(plan.hosts, isShared), answer, authority))
  const nameServer = stack.use(
    await startDnsServer((name) => {
      const host = knownHost(name, plan.hosts)
      if (host === undefined) return { code: responseCode.nameError, addresses: [], ttlSeconds: 300 }
      return { code: responseCode.ok, addresses: [addressOf(host, isShared)], ttlSeconds: 300 }
    }),
  )
  const control = stack.use(await startControl(visits))
  const scheme = options.tls ? 'https' : 'http'

  const closing = stack.move()
  return {
    seeds: Array.from({ length: plan.hosts }, (_, host) => `${scheme}://${hostName(host)}:${port}/`),
    addressSeed: options.tls ? null : `http://127.0.0.1:${port}/`,
    dns: nameServer.address,
    control: control.url,
    caCertificate: authority?.certificate ?? null,
    corpus: corpus ?? null,
    averages,
    layout: plan,
    pages: content,
    visits,
    [Symbol.asyncDispose]: () => closing.disposeAsync(),
  }
}
