import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Http2ServerRequest, Http2ServerResponse } from 'node:http2'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Answer, Headers } from './answer.ts'
import type { Bodies } from './bodies.ts'

export type ServerRequest = IncomingMessage | Http2ServerRequest
export type ServerReply = ServerResponse | Http2ServerResponse

/** Carries out an answer on the wire. `onStatus` is told the status just before the head is sent. */
export async function respond(
  answer: Answer,
  request: ServerRequest,
  reply: ServerReply,
  bodies: Bodies,
  onStatus: (status: number, headers: Headers) => void,
): Promise<void> {
  const head = (status: number, headers: Headers) => {
    onStatus(status, headers)
    writeHead(reply, status, headers)
  }
  switch (answer.kind) {
    case 'delayed':
      await sleep(answer.delayMs)
      if (reply.destroyed) return
      return respond(answer.answer, request, reply, bodies, onStatus)
    case 'document': {
      const { status, headers, body } = bodies.negotiate(answer.document, answer.keptAs, request.headers)
      head(status, headers)
      return end(reply, request, body)
    }
    case 'response':
      head(answer.status, { 'content-length': String(answer.body.length), ...answer.headers })
      return end(reply, request, answer.body)
    case 'stream':
      head(answer.status, answer.headers)
      return stream(reply, answer.chunks, answer.everyMs)
    case 'raw':
      onStatus(0, {})
      return bare(request, answer.bytes, answer.end)
    default:
      answer satisfies never
  }
}

/** The two classes share the method, but not its type. */
function writeHead(reply: ServerReply, status: number, headers: Headers): void {
  if ('stream' in reply) reply.writeHead(status, headers)
  else reply.writeHead(status, headers)
}

function end(reply: ServerReply, request: ServerRequest, body: Buffer): void {
  if (request.method === 'HEAD' || body.length === 0) reply.end()
  else reply.end(body)
}

async function stream(reply: ServerReply, chunks: Iterable<Buffer>, everyMs: number): Promise<void> {
  for (const chunk of chunks) {
    if (reply.destroyed) return
    const isFull = !('stream' in reply ? reply.write(chunk) : reply.write(chunk))
    if (isFull) await drained(reply)
    if (everyMs > 0) await sleep(everyMs)
  }
  reply.end()
}

/** Also when the client is gone. */
function drained(reply: ServerReply): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      reply.off('drain', done)
      reply.off('close', done)
      resolve()
    }
    reply.on('drain', done)
    reply.on('close', done)
  })
}

function bare(request: ServerRequest, bytes: Buffer, ending: 'close' | 'reset' | 'hold'): void {
  if ('stream' in request) {
    if (ending !== 'hold') request.stream.session?.destroy()
    return
  }
  const { socket } = request
  if (bytes.length > 0) socket.write(bytes)
  if (ending === 'close') socket.destroySoon()
  if (ending === 'reset') socket.resetAndDestroy()
}
