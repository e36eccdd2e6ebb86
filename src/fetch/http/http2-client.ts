import { Client, type Dispatcher } from 'undici'
import type { AnswerReceiver, OutgoingRequest } from './answer-receiver.ts'
import type { Opened } from './connector.ts'
import { headersReceived } from './response-headers.ts'

export interface Http2ClientOptions {
  readonly origin: string
  readonly maxHeaderBytes: number
  readonly keepAliveMs: number
  readonly maxKeepAliveMs: number
  readonly open: () => Promise<Opened>
  readonly onDisconnect: () => void
}

/** Many requests at the same time on one connection, which is opened again when it is needed again. */
export class Http2Client {
  readonly #client: Client

  constructor(options: Http2ClientOptions) {
    this.#client = new Client(options.origin, {
      pipelining: 1,
      maxHeaderSize: options.maxHeaderBytes,
      keepAliveTimeout: options.keepAliveMs,
      keepAliveMaxTimeout: options.maxKeepAliveMs,
      allowH2: true,
      // Our own limits of time hold for every phase; these would only add timers.
      headersTimeout: 0,
      bodyTimeout: 0,
      connect: (_target, callback) => {
        options.open().then(
          ({ socket }) => callback(null, socket),
          (error: Error) => callback(error, null),
        )
      },
    })
    this.#client.on('disconnect', options.onDisconnect)
  }

  send({ path, headers }: OutgoingRequest, receiver: AnswerReceiver): void {
    this.#client.dispatch({ path, method: 'GET', headers: headers.flat() }, handlerOf(receiver))
  }

  async destroy(): Promise<void> {
    await this.#client.destroy()
  }
}

function handlerOf(receiver: AnswerReceiver): Dispatcher.DispatchHandler {
  return {
    onRequestStart: (controller) =>
      receiver.began({
        pause: () => controller.pause(),
        resume: () => controller.resume(),
        abort: (error) => controller.abort(error),
      }),
    onResponseStart: (controller, status, headers, statusText) => {
      if (status >= 200) receiver.head(status, statusText ?? '', headersReceived(controller.rawHeaders ?? headers))
    },
    onResponseData: (_controller, chunk) => receiver.piece(chunk),
    onResponseEnd: () => receiver.ended(),
    onResponseError: (_controller, error) => receiver.failed(error),
  }
}
