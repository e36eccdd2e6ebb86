import type { Progress } from '../running-crawl.ts'
import type { Outlook } from '../store/record-store.ts'
import type { Terminal } from './command.ts'
import { dim } from './terminal.ts'
import { counted, showBytes, showCount, showDuration } from './units.ts'

/** Shows how a crawl goes: one block that is drawn over on a terminal, a plain line now and then elsewhere. */
export interface ProgressView {
  show(progress: Progress): void
  /** Leaves what is shown and writes below it from now on. */
  end(): void
}

interface Sample {
  readonly at: number
  readonly pages: number
}

/** Pages a second over the last seconds, and how long what is known would take at that rate. */
class Speed {
  readonly #samples: Sample[]

  constructor(startedAt: number, pagesBefore: number) {
    this.#samples = [{ at: startedAt, pages: pagesBefore }]
  }

  add(at: number, pages: number): number {
    this.#samples.push({ at, pages })
    while (this.#samples.length > 2 && at - this.#samples[0]!.at > 10_000) this.#samples.shift()
    const first = this.#samples[0]!
    return at > first.at ? ((pages - first.pages) * 1000) / (at - first.at) : 0
  }
}

/** When the run began, and how many pages the crawl had then. */
export interface RunStart {
  readonly at: number
  readonly pages: number
}

export function liveView(terminal: Terminal, start: RunStart, write: (text: string) => void): ProgressView {
  const speed = new Speed(start.at, start.pages)
  let drawn = 0
  return {
    show(progress) {
      const rows = block(progress, Date.now() - start.at, speed.add(Date.now(), progress.tally.pages))
      const lines = rows.map(
        ([label, text]) => `\u001b[2K  ${dim(label.padEnd(8))}${text.slice(0, terminal.columns - 11)}\n`,
      )
      write((drawn > 0 ? `\u001b[${drawn}A` : '') + lines.join(''))
      drawn = lines.length
    },
    end() {
      drawn = 0
    },
  }
}

export function lineView(terminal: Terminal, start: RunStart, everyMs: number): ProgressView {
  const speed = new Speed(start.at, start.pages)
  let shownAt = 0
  return {
    show({ tally, counts, waitingMs, outlook }) {
      const now = Date.now()
      const rate = speed.add(now, tally.pages)
      if (now - shownAt < everyMs) return
      shownAt = now
      const parts = [
        counted(tally.pages, 'page'),
        `${rate.toFixed(1)}/s`,
        `${showCount(counts.queued + counts.leased)} queued`,
        `${showCount(counts.dead)} failed`,
        showBytes(tally.bytes),
        pausedFor(waitingMs),
        ...(outlook ? [`${counted(tally.revisits, 'revisit')}, ${dueIn(outlook, now)}`] : []),
      ]
      terminal.note(`${showDuration(now - start.at).padStart(9)}  ${parts.filter(Boolean).join(', ')}`)
    },
    end() {},
  }
}

/** JSON lines on standard output; the last one, the summary, is printed by the command. */
export function jsonView(terminal: Terminal, start: RunStart): ProgressView {
  return {
    show({ tally, counts, openHosts, outlook }) {
      const { pages, requests, bytes, revisits } = tally
      const { queued, leased, excluded, dead } = counts
      const { user, system } = process.cpuUsage()
      const spent = { elapsedMs: Date.now() - start.at, cpuMs: Math.round((user + system) / 1000) }
      const again = outlook
        ? { revisits, planned: outlook.planned, overdue: outlook.overdue, nextAt: outlook.nextAt }
        : {}
      terminal.print(
        JSON.stringify({
          pages,
          requests,
          bytes,
          queued,
          leased,
          excluded,
          failed: dead,
          openHosts,
          ...again,
          ...spent,
        }),
      )
    },
    end() {},
  }
}

const worthTellingMs = 5000

function block(
  { tally, counts, openHosts, waitingMs, outlook }: Progress,
  elapsedMs: number,
  rate: number,
): [label: string, text: string][] {
  const open = counts.queued + counts.leased
  const leftMs = rate > 0 ? (open / rate) * 1000 : 0
  const left = leftMs > worthTellingMs ? `about ${showDuration(leftMs)} for what is known` : ''
  const paused = pausedFor(waitingMs)
  const errors = Object.entries(tally.errors)
    .sort(([, a], [, b]) => b - a)
    .slice(0, 4)
    .map(([name, n]) => `${name} ${showCount(n)}`)
    .join(', ')
  return [
    row(
      'pages',
      showCount(tally.pages),
      `${rate.toFixed(1)}/s   ${showBytes(tally.bytes)}   ${showDuration(elapsedMs)}`,
    ),
    row(
      'queue',
      showCount(open),
      [paused || `${counted(openHosts, 'host')} open`, paused ? '' : left].filter(Boolean).join('   '),
    ),
    row('copies', showCount(tally.duplicates + tally.nearDuplicates), `${showCount(counts.excluded)} excluded`),
    row('failed', showCount(counts.dead), errors && `answers and attempts: ${errors}`),
    ...(outlook ? [row('again', showCount(tally.revisits), dueIn(outlook, Date.now()))] : []),
  ]
}

/** Why nothing happens, where all hosts want patience. */
function pausedFor(waitingMs: number | null): string {
  return waitingMs !== null && waitingMs > 1000 ? `all hosts wait, the next for ${showDuration(waitingMs)}` : ''
}

/** What is to be visited again, and when: `12 pages due`, `next page due in 3 h 0 min`. */
export function dueIn({ overdue, nextAt }: Outlook, now: number): string {
  if (overdue > 0) return `${counted(overdue, 'page')} due`
  return nextAt === null ? 'no page is due again' : `next page due in ${showDuration(Math.max(0, nextAt - now))}`
}

function row(label: string, value: string, rest: string): [label: string, text: string] {
  return [label, `${value.padStart(10)}   ${rest}`]
}
