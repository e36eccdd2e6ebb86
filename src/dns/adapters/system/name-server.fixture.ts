import { createSocket, type RemoteInfo } from 'node:dgram'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'

const typeA = 1
const typeAaaa = 28
const responseCodes = { 'not-found': 3, 'server-failure': 2, refused: 5 } as const

export type Answer =
  | { readonly a?: readonly string[]; readonly aaaa?: readonly string[]; readonly ttlSeconds: number }
  | keyof typeof responseCodes
  | 'silence'

export interface NameServer extends AsyncDisposable {
  /** `127.0.0.1:port` */
  readonly address: string
  /** `A a.test`, in the order of arrival. */
  readonly asked: readonly string[]
}

/** A name server on loopback that answers A and AAAA from a table; names that are not in it do not exist. */
export async function startNameServer(names: Record<string, Answer>): Promise<NameServer> {
  const asked: string[] = []
  const socket = createSocket('udp4')
  socket.on('message', (query: Buffer, from: RemoteInfo) => {
    const { name, type, end } = readQuestion(query)
    asked.push(`${type === typeA ? 'A' : 'AAAA'} ${name}`)
    const answer = names[name] ?? 'not-found'
    if (answer !== 'silence') socket.send(reply(query.subarray(0, end), type, answer), from.port, from.address)
  })
  socket.bind(0, '127.0.0.1')
  await once(socket, 'listening')
  return {
    address: `127.0.0.1:${(socket.address() as AddressInfo).port}`,
    asked,
    async [Symbol.asyncDispose]() {
      socket.close()
      await once(socket, 'close')
    },
  }
}

function readQuestion(query: Buffer): { name: string; type: number; end: number } {
  const labels: string[] = []
  let at = 12
  for (let length = query[at]!; length > 0; length = query[at]!) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length))
    at += length + 1
  }
  return { name: labels.join('.'), type: query.readUInt16BE(at + 1), end: at + 5 }
}

function reply(question: Buffer, type: number, answer: Exclude<Answer, 'silence'>): Buffer {
  const head = Buffer.from(question)
  const records = typeof answer === 'string' ? [] : addressRecords(type, answer)
  head.writeUInt16BE(0x8180 | (typeof answer === 'string' ? responseCodes[answer] : 0), 2)
  head.writeUInt16BE(records.length, 6)
  head.writeUInt32BE(0, 8)
  return Buffer.concat([head, ...records])
}

function addressRecords(type: number, answer: Exclude<Answer, string>): Buffer[] {
  const bytes =
    type === typeA ? (answer.a ?? []).map(bytesOf4) : type === typeAaaa ? (answer.aaaa ?? []).map(bytesOf6) : []
  return bytes.map((data) => {
    const record = Buffer.alloc(12)
    record.writeUInt16BE(0xc00c, 0)
    record.writeUInt16BE(type, 2)
    record.writeUInt16BE(1, 4)
    record.writeUInt32BE(answer.ttlSeconds, 6)
    record.writeUInt16BE(data.length, 10)
    return Buffer.concat([record, data])
  })
}

const bytesOf4 = (address: string) => Buffer.from(address.split('.').map(Number))

/** All eight groups must be written out. */
const bytesOf6 = (address: string) =>
  Buffer.from(
    address
      .split(':')
      .map((group) => group.padStart(4, '0'))
      .join(''),
    'hex',
  )
