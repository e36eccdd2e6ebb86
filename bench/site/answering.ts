import type { Socket } from 'node:net'
import { random } from '../../test/web/random.ts'
import { hostOf } from './hosts.ts'
import type { Layout } from './layout.ts'
import type { SiteOptions } from './options.ts'
import { headOf, type Pages } from './pages.ts'
import { type Request, readRequest } from './request.ts'
import type { Visits } from './visits.ts'

const robotsText = 'User-agent: *\nAllow: /\n'

export interface AnsweringOptions extends Pick<SiteOptions, 'keepAlive' | 'latencyMs'> {
  readonly layout: Layout
  readonly pages: Pages
  readonly visits: Visits
}

/** Speaks HTTP/1.1 on a socket by hand: the site must cost so little that only the crawler is measured. */
export function answering({ layout, pages, visits, keepAlive, latencyMs }: AnsweringOptions): (socket: Socket) => void {
  const connection = keepAlive ? 'keep-alive' : 'close'
  const robots = shortAnswer('200 OK', robotsText)
  const notFound = shortAnswer('404 Not Found', 'There is no such page.\n')

  function shortAnswer(status: string, text: string): readonly Buffer[] {
    return [
      Buffer.concat([headOf(text.length, 'text/plain; charset=utf-8', connection, '', status), Buffer.from(text)]),
    ]
  }

  function answerTo({ method, path, acceptsGzip }: Request, host: number): readonly Buffer[] {
    if (path === '/robots.txt') {
      visits.robots()
      return robots
    }
    const page = method === 'GET' ? layout.pageAt(host, path) : undefined
    if (page === undefined) {
      visits.other(path)
      return notFound
    }
    visits.page(host, page, Date.now())
    return pages.answer(host, page, acceptsGzip)
  }

  function send(socket: Socket, parts: readonly Buffer[], isLast: boolean): void {
    socket.cork()
    for (const part of parts) {
      visits.bytesSent += part.length
      socket.write(part)
    }
    if (isLast) socket.end()
    socket.uncork()
  }

  return (socket) => {
    visits.connections++
    let received = ''
    let isBusy = false
    const next = () => {
      const read = readRequest(received)
      if (read === undefined) return
      if (read === 'bad') {
        socket.destroy()
        return
      }
      received = read.rest
      const host = hostOf(read.request.host, layout.hosts)
      const isLast = !keepAlive || !read.request.keepAlive
      const parts = answerTo(read.request, host)
      if (latencyMs === undefined) {
        send(socket, parts, isLast)
        if (received !== '' && !isLast) next()
        return
      }
      isBusy = true
      setTimeout(
        () => {
          isBusy = false
          if (socket.destroyed) return
          send(socket, parts, isLast)
          if (!isLast) next()
        },
        latencyOf(host, latencyMs),
      )
    }
    socket.setNoDelay(true)
    socket.on('data', (chunk) => {
      received += chunk.toString('latin1')
      if (!isBusy) next()
    })
    // A client may vanish at any moment; what it asked for is counted.
    socket.on('error', () => socket.destroy())
  }
}

/** Always the same for a host; as many hosts between 10 and 100 ms as between 100 and 1,000. */
export function latencyOf(host: number, { min, max }: { readonly min: number; readonly max: number }): number {
  const share = random('latency', host).next() / 2 ** 32
  const from = Math.max(min, 1)
  return max === 0 ? 0 : Math.round(from * (Math.max(max, 1) / from) ** share)
}
