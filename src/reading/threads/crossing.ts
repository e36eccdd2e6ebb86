import { giveBackBuffer } from '../../fetch/body-buffers.ts'
import type { FetchOutcome } from '../../fetch/outcome.ts'
import { Utf8Text } from '../../parse/page-text.ts'
import type { FreshRecord } from '../../store/url-record.ts'
import type { Answer, FetchFailed, Reading } from '../reading.ts'

/**
 * Bytes that cross to another thread lie alone in their memory, which then moves; there they arrive as plain bytes. Who
 * sends them looks at them no more.
 */

export function departing(bytes: Buffer): Buffer<ArrayBuffer> {
  const { buffer, byteLength } = bytes
  const isAlone = buffer instanceof ArrayBuffer && buffer.byteLength === byteLength
  // Nothing may be the same nothing for many, and no memory can move twice.
  if (isAlone && byteLength > 0) return bytes as Buffer<ArrayBuffer>
  // Not from Node's pool: what lies beside them there would move too.
  const alone = Buffer.allocUnsafeSlow(byteLength)
  bytes.copy(alone)
  giveBackBuffer(bytes)
  return alone
}

function arrived(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
}

interface Departure<Value> {
  readonly value: Value
  readonly bytes: readonly ArrayBuffer[]
}

export function departingReading(reading: Reading): Departure<FetchFailed | Answer> {
  if (reading.kind === 'failed') return { value: reading, bytes: [] }
  const { release: _stays, ...answer } = reading
  const rawBody = departing(reading.exchange.rawBody)
  const exchange = { ...reading.exchange, rawBody }
  const bytes = [rawBody.buffer]
  const record = withText(reading.record, (text) => {
    const departs = departing(text)
    bytes.push(departs.buffer)
    return departs
  })
  const { whole } = answer
  if (!whole) return { value: { ...answer, record, exchange }, bytes }
  const isPlain = whole.body === reading.exchange.rawBody
  const body = isPlain ? rawBody : departing(whole.body)
  if (!isPlain) bytes.push(body.buffer)
  return { value: { ...answer, record, exchange, whole: { ...whole, body } }, bytes }
}

export function arrivedReading(reading: FetchFailed | Answer, release: (heldBytes: number) => void): Reading {
  if (reading.kind === 'failed') return reading
  const { exchange, whole, heldBytes } = reading
  return {
    ...reading,
    record: withText(reading.record, arrived),
    exchange: { ...exchange, rawBody: arrived(exchange.rawBody) },
    whole: whole && { ...whole, body: arrived(whole.body) },
    release: () => release(heldBytes),
  }
}

/** Of a text that crosses nothing but its bytes is left. */
function withText(record: FreshRecord, move: (bytes: Buffer) => Buffer): FreshRecord {
  const { text } = record
  return typeof text === 'string' ? record : { ...record, text: new Utf8Text(move(text.bytes)) }
}

export function departingOutcome(outcome: FetchOutcome): Departure<FetchOutcome> {
  if (outcome.kind === 'failed') return { value: outcome, bytes: [] }
  const { exchange } = outcome
  const rawBody = departing(exchange.rawBody)
  const body = exchange.body === exchange.rawBody ? rawBody : departing(exchange.body)
  const bytes = body === rawBody ? [body.buffer] : [rawBody.buffer, body.buffer]
  return { value: { ...outcome, exchange: { ...exchange, rawBody, body } }, bytes }
}

/** One buffer sent twice arrives as one, so a body that needed no decoding is still the body as received. */
export function arrivedOutcome(outcome: FetchOutcome): FetchOutcome {
  if (outcome.kind === 'failed') return outcome
  const { exchange } = outcome
  const rawBody = arrived(exchange.rawBody)
  const body = exchange.body === exchange.rawBody ? rawBody : arrived(exchange.body)
  return { ...outcome, exchange: { ...exchange, rawBody, body } }
}
