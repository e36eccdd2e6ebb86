import type { Header } from '../outcome.ts'

/**
 * Who receives the answer to one request. After `began` come `head`, pieces of the body and one of `ended` and `failed`;
 * `failed` may come at any time, and is the last call whatever the server does.
 */
export interface AnswerReceiver {
  /** The request goes out on its connection. */
  began(control: AnswerControl): void
  /** The head of the answer proper; interim answers are passed over. */
  head(status: number, statusText: string, headers: readonly Header[]): void
  /** The memory is the sender's: what is to be kept must be copied. */
  piece(bytes: Buffer): void
  ended(): void
  failed(error: Error): void
}

/** How a receiver acts on the connection. */
export interface AnswerControl {
  pause(): void
  resume(): void
  /** Nothing more is wanted. */
  abort(error: Error): void
}

export interface OutgoingRequest {
  /** With the query. */
  readonly path: string
  readonly headers: readonly Header[]
}

/** The server closed in good order, but before its answer was complete. */
export class ClosedEarly extends Error {
  override readonly name = 'ClosedEarly'

  constructor() {
    super('the server closed the connection before its answer was complete')
  }
}
