import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { decodeQuestion, encodeReply, type Reply, recordType } from './message.ts'

export interface DnsServer extends AsyncDisposable {
  /** `127.0.0.1:PORT` */
  readonly address: string
  /** Questions so far, of all types, by name. */
  readonly queries: ReadonlyMap<string, number>
}

/** `undefined` from `answer` means silence: the client waits in vain. */
export async function startDnsServer(answer: (name: string) => Reply | undefined): Promise<DnsServer> {
  const socket = createSocket('udp4')
  const queries = new Map<string, number>()
  socket.on('message', (message, client) => {
    const question = decodeQuestion(message)
    if (!question) return
    queries.set(question.name, (queries.get(question.name) ?? 0) + 1)
    const reply = answer(question.name)
    if (!reply) return
    const addresses = question.type === recordType.a ? reply.addresses : []
    socket.send(encodeReply(question, { ...reply, addresses }), client.port, client.address)
  })
  socket.bind(0, '127.0.0.1')
  await once(socket, 'listening')
  return {
    address: `127.0.0.1:${socket.address().port}`,
    queries,
    async [Symbol.asyncDispose]() {
      socket.close()
      await once(socket, 'close')
    },
  }
}
