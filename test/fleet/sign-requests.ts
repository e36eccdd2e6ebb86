/** Loaded into members of a fleet before all else: each of their requests tells the servers' log which process made it. */
import { subscribe } from 'node:diagnostics_channel'

interface RequestMade {
  readonly request: { addHeader(name: string, value: string): unknown }
}

subscribe('undici:request:create', (made) => {
  const { request } = made as RequestMade
  request.addHeader('x-made-by', String(process.pid))
})
