/** A worker seen from outside, or the parent seen from within. */
export interface Postbox {
  postMessage(messages: readonly unknown[], transfer: ArrayBuffer[]): void
}

/** Posts messages in batches, one for each turn of the event loop: a post costs as much as many messages. */
export class Outbox<Message> {
  readonly #postbox: Postbox
  #messages: Message[] = []
  #transfer: ArrayBuffer[] = []

  constructor(postbox: Postbox) {
    this.#postbox = postbox
  }

  /** `bytes` are moved, not copied: whoever posts them has them no longer. */
  post(message: Message, bytes: readonly ArrayBuffer[] = []): void {
    if (this.#messages.length === 0) setImmediate(() => this.flush())
    this.#messages.push(message)
    this.#transfer.push(...bytes)
  }

  flush(): void {
    if (this.#messages.length === 0) return
    this.#postbox.postMessage(this.#messages, this.#transfer)
    this.#messages = []
    this.#transfer = []
  }
}
