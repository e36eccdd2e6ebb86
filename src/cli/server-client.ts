import { UsageError } from '../config/usage-error.ts'
import { ApiError, type Client, createClient } from '../server/client.ts'
import type { Invocation } from './command.ts'

/** A client of the server that a command is to ask; `undefined`: it names none. */
export function clientOf({ given }: Invocation): Client | undefined {
  if (given.server === undefined) return undefined
  const server = String(given.server)
  const url = URL.parse(/^https?:\/\//.test(server) ? server : `http://${server}`)
  if (!url) throw new UsageError(`"${server}" is no address of a server: write it as http://127.0.0.1:7070.`)
  const token = (given.token as string | undefined) ?? process.env.ORBWEAVER_TOKEN
  return inOurWords(createClient({ server: url.origin, token, fetch: patientFetch }), url.origin)
}

const mostWaitSeconds = 30

/** A server that is asked too often says when to come again. */
export async function patientFetch(...request: Parameters<typeof fetch>): Promise<Response> {
  for (;;) {
    const response = await fetch(...request)
    const seconds = Number(response.headers.get('retry-after') ?? Number.NaN)
    if (response.status !== 429 || !(seconds <= mostWaitSeconds)) return response
    await response.body?.cancel()
    await new Promise((resolve) => setTimeout(resolve, seconds * 1000))
  }
}

/** Faults of the server and of the way there are told in one sentence, as those of engines are. */
function inOurWords(client: Client, place: string): Client {
  const told = Object.entries(client).map(([name, call]) => [
    name,
    name === 'events' ? call : (...args: never[]) => call(...args).catch((error: unknown) => explain(error, place)),
  ])
  return Object.fromEntries(told)
}

/** What was asked for is not there. */
class NotThere extends UsageError {}

export function explain(error: unknown, place: string): never {
  if (error instanceof ApiError)
    throw new (error.status === 404 ? NotThere : UsageError)(error.message, { cause: error })
  if (error instanceof TypeError) {
    const why = (error.cause as Error | undefined)?.message ?? error.message
    throw new UsageError(`No server answers at ${place}: ${why}.`, { cause: error })
  }
  throw error
}

/** `undefined` for what is not there. */
export async function ifThere<T>(asked: Promise<T>): Promise<T | undefined> {
  try {
    return await asked
  } catch (error) {
    if (error instanceof NotThere) return undefined
    throw error
  }
}

/** The crawl that was named, or the newest of the server. */
export async function crawlOn(client: Client, { given }: Invocation): Promise<string> {
  if (given.crawl !== undefined) {
    const crawl = String(given.crawl)
    if (await ifThere(client.getCrawl({ params: { crawl } }))) return crawl
    throw new UsageError(`There is no crawl "${crawl}" on this server: \`orbweaver status\` lists them.`)
  }
  const { crawls } = await client.listCrawls({ query: { limit: 1 } })
  if (crawls[0]) return crawls[0].id
  throw new UsageError('The server has no crawl yet.')
}
