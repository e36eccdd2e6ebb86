/** The crawlers that people could pick instead, as `bench/peers` has measured and stored them. */
import { showCount } from '../cli/units.ts'
import { median } from './figures.ts'
import type { Grid } from './grid.ts'

/** The part of its JSON that is read here. */
export interface PeersFile {
  readonly measured: readonly {
    readonly peer: { readonly name: string; readonly does: string; readonly doesNot: string }
    readonly pages: number
    readonly runs: readonly PeerRun[]
  }[]
}

interface PeerRun {
  readonly cpuMs: number
  readonly elapsedMs: number
  readonly peakRssBytes: number
  readonly counts: { readonly pages: number; readonly missing: number }
}

export interface PeerFigures {
  readonly name: string
  readonly does: string
  readonly doesNot: string
  readonly cpuMsPerPage: number
  readonly range: readonly [number, number]
  readonly pagesPerSecond: number
  readonly peakRssBytes: number
}

export const isOurs = ({ name }: PeerFigures) => /^orbweaver/i.test(name)

/** The cheapest first; of a crawler only the runs that saw every page count, and one without any is left out. */
export function peerFigures({ measured }: PeersFile): PeerFigures[] {
  return measured
    .flatMap(({ peer, pages, runs }) => {
      const complete = runs.filter(({ counts }) => counts.pages === pages && counts.missing === 0)
      if (complete.length === 0) return []
      const costs = complete.map(({ cpuMs }) => cpuMs / pages)
      const { name, does, doesNot } = peer
      return {
        ...{ name, does, doesNot, cpuMsPerPage: median(costs) },
        range: [Math.min(...costs), Math.max(...costs)] as const,
        pagesPerSecond: median(complete.map(({ elapsedMs }) => (pages * 1000) / elapsedMs)),
        peakRssBytes: Math.max(...complete.map((run) => run.peakRssBytes)),
      }
    })
    .sort((a, b) => a.cpuMsPerPage - b.cpuMsPerPage)
}

export function peersGrid(peers: readonly PeerFigures[]): Grid {
  const spider = peers.find(({ name }) => name.startsWith('spider'))
  return {
    words: 2,
    heads: ['crawler', 'CPU ms a page', 'min–max', '÷ spider', 'pages/s', 'peak MiB', 'does', 'does not'],
    rows: peers.map(({ name, cpuMsPerPage, range: [least, most], pagesPerSecond, peakRssBytes, does, doesNot }) => [
      ...[name, cpuMsPerPage.toFixed(2), `${least.toFixed(2)}–${most.toFixed(2)}`],
      spider ? (cpuMsPerPage / spider.cpuMsPerPage).toFixed(2) : 'unknown',
      ...[showCount(pagesPerSecond), showCount(peakRssBytes / 2 ** 20), does, doesNot],
    ]),
  }
}
