/** The few parts of DNS (RFC 1035) that a resolver of host names needs, in both directions. */
export const recordType = { a: 1, soa: 6, aaaa: 28 } as const
export const responseCode = { ok: 0, serverFailure: 2, nameError: 3 } as const

export interface Question {
  readonly id: number
  /** Lower case, without the dot at the end. */
  readonly name: string
  readonly type: number
  readonly recursionDesired: boolean
  /** The question as it came, to be repeated in the answer. */
  readonly bytes: Buffer
}

export interface Reply {
  readonly code: number
  /** IPv4 addresses; none with code 0 means that the name exists without such a record. */
  readonly addresses: readonly string[]
  readonly ttlSeconds: number
}

const headerBytes = 12
const internetClass = 1

/** `undefined`: not a question that can be answered. */
export function decodeQuestion(message: Buffer): Question | undefined {
  if (message.length < headerBytes + 5 || message.readUInt16BE(4) !== 1 || message.readUInt8(2) & 0x80) return undefined
  const labels: string[] = []
  let at = headerBytes
  for (let length = message[at]; length !== undefined && length > 0; length = message[at]) {
    if (length > 63) return undefined
    labels.push(message.toString('latin1', at + 1, at + 1 + length))
    at += 1 + length
  }
  if (at + 5 > message.length) return undefined
  return {
    id: message.readUInt16BE(0),
    name: labels.join('.').toLowerCase(),
    type: message.readUInt16BE(at + 1),
    recursionDesired: (message.readUInt8(2) & 1) === 1,
    bytes: message.subarray(headerBytes, at + 5),
  }
}

export function encodeReply(question: Question, reply: Reply): Buffer {
  const records = reply.addresses.map((address) => record(recordType.a, reply.ttlSeconds, addressBytes(address)))
  const isNegative = records.length === 0 && reply.code !== responseCode.serverFailure
  const authority = isNegative ? [record(recordType.soa, reply.ttlSeconds, soaBytes(reply.ttlSeconds))] : []
  const header = Buffer.alloc(headerBytes)
  header.writeUInt16BE(question.id, 0)
  header.writeUInt16BE(0x8480 | (question.recursionDesired ? 0x100 : 0) | reply.code, 2)
  header.writeUInt16BE(1, 4)
  header.writeUInt16BE(records.length, 6)
  header.writeUInt16BE(authority.length, 8)
  return Buffer.concat([header, question.bytes, ...records, ...authority])
}

/** Its name is a pointer to the question's. */
function record(type: number, ttlSeconds: number, data: Buffer): Buffer {
  const head = Buffer.alloc(12)
  head.writeUInt16BE(0xc000 | headerBytes, 0)
  head.writeUInt16BE(type, 2)
  head.writeUInt16BE(internetClass, 4)
  head.writeUInt32BE(ttlSeconds, 6)
  head.writeUInt16BE(data.length, 10)
  return Buffer.concat([head, data])
}

function addressBytes(address: string): Buffer {
  return Buffer.from(address.split('.').map(Number))
}

/** The last field says how long the absence may be remembered (RFC 2308). */
function soaBytes(ttlSeconds: number): Buffer {
  const numbers = Buffer.alloc(20)
  numbers.writeUInt32BE(1, 0)
  numbers.writeUInt32BE(ttlSeconds, 16)
  return Buffer.concat([Buffer.from('\u0002ns\u0004test\u0000\u0004root\u0004test\u0000', 'latin1'), numbers])
}
