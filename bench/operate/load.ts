/**
 * Looks at a server as many people do: follows its live events and asks at a steady rate, whether it answers soon or late.
 * Commands come as lines on standard input: `begin` and `end`; each is answered by a line of JSON.
 *
 *   node bench/operate/load.ts --server URL --crawl NAME --urls URL,URL [--viewers 1000] [--requests 200]
 */
import { Agent, get } from 'node:http'
import { createInterface } from 'node:readline'
import { parseArgs } from 'node:util'
import { cpuMsOf } from '../fleet/processes.ts'
import type { LoadReport } from './load-process.ts'
import { readAt } from './reads.ts'
import { Viewers } from './viewers.ts'

const { values } = parseArgs({
  options: {
    server: { type: 'string', default: '' },
    crawl: { type: 'string', default: '' },
    urls: { type: 'string', default: '' },
    viewers: { type: 'string', default: '1000' },
    requests: { type: 'string', default: '200' },
  },
})
const urls = values.urls.split(',')
const of = { crawl: values.crawl, urls, hosts: urls.map((url) => new URL(url).host) }
const agent = new Agent({ keepAlive: true, maxSockets: 50 })
const tickMs = 50

/** What came of the requests since the load began. */
class Asking implements Disposable {
  readonly statuses: Record<string, number> = {}
  readonly tookMs: Record<string, number[]> = {}
  readonly beganAt = performance.now()
  asked = 0
  readonly #timer = setInterval(() => this.#catchUp(), tickMs)

  /** As many as should have been asked by now. */
  #catchUp(): void {
    const due = ((performance.now() - this.beganAt) / 1000) * Number(values.requests)
    while (this.asked < due) this.#ask(readAt(this.asked++, of))
  }

  #ask({ name, path }: { name: string; path: string }): void {
    const from = performance.now()
    const note = (status: string) => {
      this.statuses[status] = (this.statuses[status] ?? 0) + 1
    }
    get(new URL(path, values.server), { agent }, (response) => {
      response.resume().on('end', () => {
        note(String(response.statusCode))
        ;(this.tookMs[name] ??= []).push(performance.now() - from)
      })
    }).on('error', ({ message }) => note(message))
  }

  [Symbol.dispose](): void {
    clearInterval(this.#timer)
  }
}

let viewers: Viewers | undefined
let asking: Asking | undefined
for await (const command of createInterface(process.stdin)) {
  if (command === 'begin') {
    viewers = new Viewers()
    await viewers.join(values.server, Number(values.viewers))
    viewers.events = viewers.bytes = 0
    asking = new Asking()
    process.stdout.write('{}\n')
  } else if (viewers && asking) {
    asking[Symbol.dispose]()
    process.stdout.write(`${JSON.stringify(reportOf(viewers, asking))}\n`)
    viewers[Symbol.dispose]()
  }
}
agent.destroy()

function reportOf({ events, bytes, lost }: Viewers, { asked, statuses, tookMs, beganAt }: Asking): LoadReport {
  const seconds = (performance.now() - beganAt) / 1000
  const medians = Object.entries(tookMs).map(([name, took]) => [
    name,
    rounded(took.toSorted((a, b) => a - b)[took.length >> 1]!),
  ])
  return {
    ...{ asked, statuses, lost, requestsPerSecond: rounded(asked / seconds) },
    ...{ eventsPerSecond: rounded(events / seconds), eventBytesPerSecond: Math.round(bytes / seconds) },
    ...{ medianMs: Object.fromEntries(medians), cpuMs: cpuMsOf(process.pid) },
  }
}

function rounded(value: number): number {
  return Number(value.toFixed(1))
}
