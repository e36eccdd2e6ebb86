import { type Coding, codingsOf } from './codings.ts'
import { type DecodeLimits, inflationFloorBytes, type Salvage, salvage } from './salvage.ts'

export type DecodedBody =
  /** `cut`: at the limit (`bytes`), or because the coding broke off (`length`). */
  | { readonly kind: 'decoded'; readonly body: Buffer; readonly cut: 'bytes' | 'length' | null }
  | { readonly kind: 'failed'; readonly code: 'bad-encoding' | 'inflate-too-large'; readonly detail: string }

const maxCodings = 3
/** Larger bodies are decoded on another thread: the loop would stand still for tens of milliseconds. */
const syncBytes = 512 * 1024

/**
 * Undoes the content encoding in memory that is bounded whatever the bytes are. The usual body, small and sound, is
 * decoded in one synchronous step, which costs half as much as a stream.
 */
export function decodeBody(
  raw: Buffer,
  contentEncoding: string | undefined,
  limits: DecodeLimits,
): DecodedBody | Promise<DecodedBody> {
  if (!contentEncoding || raw.length === 0) return whole(raw, limits)
  const codings = codingsOf(contentEncoding)
  if (typeof codings === 'string') return badEncoding(`${codings} is not supported`)
  if (codings.length === 0) return whole(raw, limits)
  if (codings.length > maxCodings) return badEncoding(`${codings.length} codings in a row`)
  return decodeNext(raw, codings, 0, null, limits)
}

function decodeNext(
  input: Buffer,
  codings: readonly Coding[],
  index: number,
  cut: 'bytes' | 'length' | null,
  limits: DecodeLimits,
): DecodedBody | Promise<DecodedBody> {
  const coding = codings[index]
  if (!coding) return { kind: 'decoded', body: input, cut }
  const isLast = index === codings.length - 1
  const step = decodeOne(coding, input, limits, isLast && limits.givesBodyBack === true)
  const goOn = (decoded: DecodedBody) =>
    decoded.kind === 'failed' ? decoded : decodeNext(decoded.body, codings, index + 1, cut ?? decoded.cut, limits)
  return step instanceof Promise ? step.then(goOn) : goOn(step)
}

function decodeOne(
  coding: Coding,
  input: Buffer,
  limits: DecodeLimits,
  isGivenBack: boolean,
): DecodedBody | Promise<DecodedBody> {
  const maxBytes = Math.min(limits.maxBytes, Math.max(inflationFloorBytes, input.length * limits.maxInflation))
  if (input.length > syncBytes)
    return inTurn(limits, () => coding.decode(input, maxBytes)).then(complete, (error: unknown) =>
      decodePart(coding, input, limits, error),
    )
  try {
    return complete(coding.decodeSync(input, maxBytes, isGivenBack))
  } catch (error) {
    return decodePart(coding, input, limits, error)
  }
}

/** Many bombs at once must not take the memory of all of them. */
function inTurn<T>({ lane }: DecodeLimits, decode: () => Promise<T>): Promise<T> {
  return lane ? lane.through(decode) : decode()
}

/** The body is too large, cut short or broken: keeps what can be read of it, as a browser would show it. */
async function decodePart(coding: Coding, input: Buffer, limits: DecodeLimits, error: unknown): Promise<DecodedBody> {
  const saved = await inTurn(limits, () => salvage(coding, input, limits))
  switch (saved.end) {
    case 'inflated':
      return { kind: 'failed', code: 'inflate-too-large', detail: inflationOf(saved, limits) }
    case 'full':
      return { kind: 'decoded', body: saved.output, cut: 'bytes' }
    default:
      if (saved.output.length > 0) return { kind: 'decoded', body: saved.output, cut: 'length' }
      // A page sent plain under the name of a coding is a common mistake of proxies.
      if (looksLikeMarkup(input)) return whole(input, limits)
      return badEncoding(error instanceof Error ? error.message : String(error))
  }
}

function inflationOf({ output, inputBytes }: Salvage, { maxInflation }: DecodeLimits): string {
  return `${inputBytes} bytes grew to more than ${output.length}, over ${maxInflation} times as much`
}

function looksLikeMarkup(bytes: Buffer): boolean {
  return /^(?:\xef\xbb\xbf)?\s*</.test(bytes.toString('latin1', 0, 64))
}

function complete(body: Buffer): DecodedBody {
  return { kind: 'decoded', body, cut: null }
}

function whole(body: Buffer, { maxBytes }: DecodeLimits): DecodedBody {
  return body.length > maxBytes
    ? { kind: 'decoded', body: body.subarray(0, maxBytes), cut: 'bytes' }
    : { kind: 'decoded', body, cut: null }
}

function badEncoding(detail: string): DecodedBody {
  return { kind: 'failed', code: 'bad-encoding', detail }
}
