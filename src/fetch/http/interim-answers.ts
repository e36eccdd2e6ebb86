import type { Socket } from 'node:net'

/** `100 Continue`, as its status line begins in every version of HTTP/1. */
const CONTINUE = /^HTTP\/1\.[01] 100(?:[ \r\n]|$)/
const CONTINUE_STARTS = ['HTTP/1.1 100', 'HTTP/1.0 100'].map((start) => Buffer.from(start))
const END_OF_HEAD = '\r\n\r\n'
/** A server that says more often that we may go on has nothing else to say. */
const MAX_OF_ONE_ANSWER = 10
const MAX_HEAD_BYTES = 8192
const nothing = Buffer.alloc(0)

/**
 * Takes `100 Continue` out of what a server sends. Some servers send it to requests that have nothing to continue with,
 * which is allowed and means nothing (RFC 9110, 15.2.1); undici takes it for a broken answer. Other interim answers it knows.
 */
export class InterimAnswers {
  #isExpected = false
  #kept = nothing
  #taken = 0

  /** A request has gone out: its answer is still to begin. */
  begin(): void {
    this.#isExpected = true
    this.#kept = nothing
    this.#taken = 0
  }

  /** Another interim answer has come: the answer proper is still to begin. */
  goOn(): void {
    this.#isExpected = true
  }

  /** What came, without them; `null`: the answer has not begun yet. */
  take(bytes: Buffer): Buffer | null {
    if (!this.#isExpected) return bytes
    let rest = this.#kept.length > 0 ? Buffer.concat([this.#kept, bytes]) : bytes
    this.#kept = nothing
    while (isContinue(rest) && this.#taken < MAX_OF_ONE_ANSWER) {
      const end = rest.indexOf(END_OF_HEAD)
      if ((end < 0 ? rest.length : end) > MAX_HEAD_BYTES) break
      if (end < 0) return this.#keep(rest)
      this.#taken++
      rest = rest.subarray(end + END_OF_HEAD.length)
    }
    if (rest.length === 0 || mayBecomeContinue(rest)) return this.#keep(rest)
    this.#isExpected = false
    return rest
  }

  #keep(bytes: Buffer): null {
    // Not the socket's own memory, which is used again.
    this.#kept = Buffer.from(bytes)
    return null
  }
}

function isContinue(bytes: Buffer): boolean {
  // The digits first: they alone tell nearly every answer.
  return bytes[9] === 0x31 && bytes[10] === 0x30 && CONTINUE.test(bytes.toString('latin1', 0, 13))
}

function mayBecomeContinue(bytes: Buffer): boolean {
  return CONTINUE_STARTS.some((start) => bytes.length <= start.length && start.subarray(0, bytes.length).equals(bytes))
}

/** The HTTP client reads its socket by `read` alone: this is where it can be kept from seeing them. */
export function readWithoutInterim(socket: Pick<Socket, 'read'>, interim: InterimAnswers): void {
  const read = socket.read.bind(socket)
  socket.read = (size?: number) => {
    for (;;) {
      const bytes: Buffer | null = read(size)
      const rest = bytes && interim.take(bytes)
      if (bytes === null || rest !== null) return rest
    }
  }
}
