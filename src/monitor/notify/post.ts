import { lookup } from 'node:dns'
import { isIP, type LookupFunction } from 'node:net'
import { Agent } from 'undici'
import { refusedRange } from '../../dns/address-guard.ts'

export interface PostOptions {
  readonly url: string
  readonly body: string
  readonly headers?: Readonly<Record<string, string>>
  /** Without it, addresses that are not public are refused: a name may lead anywhere. */
  readonly mayBePrivate: boolean
}

const timeoutMs = 10_000

/** Posts JSON, once. What is not answered by 2xx is an error; redirects are not followed. */
export async function postJson({ url, body, headers, mayBePrivate }: PostOptions): Promise<void> {
  const { origin, pathname, search, hostname } = new URL(url)
  const literal = hostname.replace(/^\[|\]$/g, '')
  if (!mayBePrivate && isIP(literal)) refusePrivate(literal)
  const agent = new Agent({
    connect: { timeout: timeoutMs, ...(mayBePrivate ? {} : { lookup: publicLookup }) },
    headersTimeout: timeoutMs,
    bodyTimeout: timeoutMs,
  })
  try {
    const answer = await agent.request({
      ...{ origin, path: pathname + search, method: 'POST', body, signal: AbortSignal.timeout(timeoutMs) },
      headers: { 'content-type': 'application/json', 'user-agent': 'orbweaver', ...headers },
    })
    await answer.body.dump()
    if (answer.statusCode < 200 || answer.statusCode > 299) throw new Error(`${origin} answers ${answer.statusCode}`)
  } finally {
    await agent.destroy()
  }
}

/** The address that was checked is the one that is connected to. */
const publicLookup: LookupFunction = (hostname, options, done) => {
  lookup(hostname, { ...options, all: true }, (error, found) => {
    if (error) return done(error, [])
    try {
      for (const { address } of found) refusePrivate(address)
    } catch (refused) {
      return done(refused as NodeJS.ErrnoException, [])
    }
    if (options.all) return done(null, found)
    done(null, found[0]!.address, found[0]!.family)
  })
}

function refusePrivate(address: string): void {
  const range = refusedRange(address)
  if (range)
    throw new Error(`${address} is not a public address (${range}): set monitor.alerts.webhookPrivate if that is meant`)
}
