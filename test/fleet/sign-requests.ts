/** Loaded into members of a fleet before all else: each of their requests tells the servers' log which process made it. */
import { subscribe } from 'node:diagnostics_channel'
import { Socket } from 'node:net'

interface RequestMade {
  readonly request: { addHeader(name: string, value: string): unknown }
}

const name = 'x-made-by'
const pid = String(process.pid)

/** By HTTP/2. */
subscribe('undici:request:create', (made) => {
  const { request } = made as RequestMade
  request.addHeader(name, pid)
})

/** By HTTP/1.1, whose heads are written as text. */
const { write } = Socket.prototype
type Writing = (...given: readonly unknown[]) => boolean
Socket.prototype.write = function (this: Socket, ...[head, ...rest]: readonly unknown[]): boolean {
  return Reflect.apply(write as Writing, this, [isUnsignedHead(head) ? signed(head) : head, ...rest])
}

function isUnsignedHead(written: unknown): written is string {
  return typeof written === 'string' && /^GET [^\r\n]* HTTP\/1\.1\r\n/.test(written) && !written.includes(`${name}: `)
}

function signed(head: string): string {
  const lineEnd = head.indexOf('\r\n') + 2
  return `${head.slice(0, lineEnd)}${name}: ${pid}\r\n${head.slice(lineEnd)}`
}
