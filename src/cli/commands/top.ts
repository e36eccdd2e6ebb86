import type { Snapshot } from '../../server/api/schemas/overview.ts'
import type { Command, Invocation } from '../command.ts'
import { leavingOnSignals } from '../leaving.ts'
import { clientOf, explain } from '../server-client.ts'
import { harmless } from '../terminal.ts'
import { topScreen } from '../top-screen.ts'

const usualServer = 'http://127.0.0.1:7070'
const shownRates = 40

export const top: Command = {
  name: 'top',
  usage: '[--server URL]',
  summary: 'how everything goes, live, from a server (`orbweaver serve`, `crawl --dashboard`)',
  details: `
Asks ${usualServer} unless --server names another. Ctrl-C leaves. With --json each line is a snapshot.

  orbweaver top
  orbweaver top --server https://crawler.example.com`,
  flags: { once: { type: 'boolean', help: 'show one snapshot and leave' } },
  async run(invocation) {
    const server = String(invocation.given.server ?? usualServer)
    const client = clientOf({ ...invocation, given: { ...invocation.given, server } })!
    using leaving = leavingOnSignals(
      () => {},
      () => process.exit(1),
    )
    const show = invocation.json ? jsonLines(invocation) : screen()
    try {
      let isFresh = false
      for await (const snapshot of client.events(leaving.signal)) {
        if (invocation.given.once !== true) show(snapshot)
        else if (isFresh) {
          show(snapshot)
          return 0
        }
        // The first is of a moment before anybody looked.
        isFresh = true
      }
    } catch (error) {
      if (!leaving.signal.aborted) explain(error, server)
    }
    return 0
  },
}

function jsonLines({ terminal }: Invocation): (snapshot: Snapshot) => void {
  return (snapshot) => terminal.print(JSON.stringify(snapshot))
}

const clearScreen = '\u001b[H\u001b[J'

/** Drawn over on a terminal; one after the other elsewhere. */
function screen(): (snapshot: Snapshot) => void {
  const rates: number[] = []
  const { stdout } = process
  return (snapshot) => {
    rates.push(snapshot.pagesPerSecond)
    if (rates.length > shownRates) rates.shift()
    const rows = stdout.isTTY ? (stdout.rows ?? 24) - 1 : Number.POSITIVE_INFINITY
    const columns = stdout.isTTY ? (stdout.columns ?? 80) : Number.POSITIVE_INFINITY
    const lines = topScreen(snapshot, rates, rows).map((line) => cut(harmless(line, stdout), columns))
    stdout.write(`${stdout.isTTY ? clearScreen : ''}${lines.join('\n')}\n`)
  }
}

/** Longer lines would wrap and push the first ones out. Colours take no room, so a painted line may be cut early. */
const cut = (line: string, columns: number) =>
  line.length <= columns ? line : `${line.slice(0, columns - 1)}…${line.includes('\u001b') ? '\u001b[0m' : ''}`
