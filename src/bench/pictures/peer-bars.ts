import { isOurs, type PeerFigures } from '../peers.ts'
import { linear, roundSteps } from './scale.ts'
import { label, line, rectangle, svgFile } from './svg.ts'

const characterWidth = 7.4
const plot = 520
const row = 30
const top = 52

/** What a page costs each crawler, the cheapest on top, with the range of the rounds as a line. */
export function peerBars(peers: readonly PeerFigures[]): string {
  const names = 30 + characterWidth * Math.max(...peers.map(({ name }) => name.length))
  const ticks = roundSteps(Math.max(...peers.map(({ range }) => range[1])))
  const x = linear([0, ticks.at(-1)!], [names, names + plot])
  const bottom = top + peers.length * row
  const content = [
    ...ticks.flatMap((tick) => [
      line(x(tick), top - 6, x(tick), bottom, tick === 0 ? 'axis' : 'rule'),
      label(x(tick), bottom + 18, String(tick), 'middle', 'faint'),
    ]),
    label(names + plot / 2, bottom + 38, 'CPU ms a page', 'middle', 'faint'),
    ...peers.flatMap((peer, n) => {
      const y = top + n * row
      const [least, most] = peer.range
      return [
        label(names - 10, y + 13, peer.name, 'end', isOurs(peer) ? 'strong' : 'label'),
        rectangle(names, y, x(peer.cpuMsPerPage) - names, 18, isOurs(peer) ? 'bar-own' : 'bar'),
        line(x(least), y + 9, x(most), y + 9, 'spread'),
        label(x(most) + 8, y + 13, peer.cpuMsPerPage.toFixed(2)),
      ]
    }),
  ]
  return svgFile({
    width: Math.round(names + plot + 70),
    height: bottom + 52,
    title: 'The same site, crawled by each',
    content,
  })
}
