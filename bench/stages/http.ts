import { fork } from 'node:child_process'
import { once } from 'node:events'
import http from 'node:http'
import { Client, request } from 'undici'
import { systemClock } from '../../src/clock.ts'
import { fakeResolver } from '../../src/dns/adapters/fake/fake-resolver.ts'
import { fetchConfig } from '../../src/fetch/config.ts'
import { httpFetcher } from '../../src/fetch/http/http-fetcher.ts'
import type { CanonicalUrl } from '../../src/url/keys.ts'
import type { Running, Stage, Way } from './measure.ts'

/** In a process of its own, so that only the client is measured. */
async function startServer(): Promise<{ readonly origin: string; close(): void }> {
  const server = fork(new URL('./page-server.ts', import.meta.url))
  const [port] = await once(server, 'message')
  return { origin: `http://127.0.0.1:${port}`, close: () => server.disconnect() }
}

/** One connection, kept open, one request after the other. */
const asking = (name: string, connect: (origin: string) => Running): Way => ({
  name,
  async open() {
    const server = await startServer()
    const client = connect(server.origin)
    return {
      page: client.page,
      async close() {
        await client.close?.()
        server.close()
      },
    }
  },
})

const ours = asking('ours', (origin) => {
  const fetcher = httpFetcher({
    resolver: fakeResolver({}),
    clock: systemClock(),
    config: fetchConfig.parse({}),
    allowPrivate: () => true,
  })
  return {
    page: (_sample, serial) => fetcher.fetch(`${origin}/${serial}` as CanonicalUrl),
    close: () => fetcher[Symbol.asyncDispose](),
  }
})

const dispatch = asking('undici dispatch, without limits', (origin) => {
  const client = new Client(origin)
  const ask = (path: string) =>
    new Promise<number>((resolve, reject) => {
      let bytes = 0
      const handler = {
        onRequestStart() {},
        onResponseStart() {},
        onResponseData(_controller: unknown, chunk: Buffer) {
          bytes += chunk.length
        },
        onResponseEnd: () => resolve(bytes),
        onResponseError: (_controller: unknown, error: Error) => reject(error),
      }
      client.dispatch({ path, method: 'GET' }, handler)
    })
  return { page: (_sample, serial) => ask(`/${serial}`), close: () => client.close() }
})

const requests = asking('undici request', (origin) => {
  const client = new Client(origin)
  return {
    async page(_sample, serial) {
      const { body } = await request(`${origin}/${serial}`, { dispatcher: client })
      return body.arrayBuffer()
    },
    close: () => client.close(),
  }
})

const nodeHttp = asking('node:http', (origin) => {
  const agent = new http.Agent({ keepAlive: true, maxSockets: 1 })
  const ask = (url: string) =>
    new Promise<number>((resolve, reject) => {
      const asked = http.get(url, { agent }, (response) => {
        let bytes = 0
        response.on('data', (chunk: Buffer) => {
          bytes += chunk.length
        })
        response.on('end', () => resolve(bytes))
      })
      asked.on('error', reject)
    })
  return { page: (_sample, serial) => ask(`${origin}/${serial}`), close: () => agent.destroy() }
})

const fetching = asking('fetch', (origin) => ({
  page: async (_sample, serial) => (await fetch(`${origin}/${serial}`)).arrayBuffer(),
}))

export const httpClient: Stage = { name: 'http', ways: async () => [ours, dispatch, requests, nodeHttp, fetching] }
