/** The reader has left before it was done with the item. */
export class ReaderLeft extends Error {
  constructor() {
    super('nobody reads the pages any more')
    this.name = 'ReaderLeft'
  }
}

interface Offer<Item> {
  readonly item: Item
  readonly accept: () => void
  readonly refuse: (reason: ReaderLeft) => void
}

/**
 * Passes items from many givers to one reader, one at a time. A giver waits until the reader, by asking for the next
 * item, has said that it is done with this one: so no more items wait than there are givers.
 */
export class Handover<Item> {
  readonly #offers: Offer<Item>[] = []
  #inHand: Offer<Item> | undefined
  #wake = () => {}
  #state: 'open' | 'left' | 'ended' = 'open'
  #failure: { readonly error: unknown } | undefined

  /** Resolves when the reader is done with the item; rejects with ReaderLeft when it never will be. */
  give(item: Item): Promise<void> {
    return new Promise((accept, refuse) => {
      if (this.#state === 'left') return refuse(new ReaderLeft())
      this.#offers.push({ item, accept, refuse })
      this.#wake()
    })
  }

  /** Done with the last item: the next one, or `undefined` when there will be none. Rejects with what `fail` was given. */
  async take(): Promise<Item | undefined> {
    this.#inHand?.accept()
    this.#inHand = undefined
    while (this.#offers.length === 0 && this.#state === 'open')
      await new Promise<void>((resolve) => {
        this.#wake = resolve
      })
    if (this.#failure) throw this.#failure.error
    this.#inHand = this.#offers.shift()
    return this.#inHand?.item
  }

  /** No giver will come any more. */
  end(): void {
    this.#state = 'ended'
    this.#wake()
  }

  fail(error: unknown): void {
    this.#failure ??= { error }
    this.end()
  }

  /** Refuses all that was not taken to its end. */
  leave(): void {
    if (this.#state === 'open') this.#state = 'left'
    const open = [...(this.#inHand ? [this.#inHand] : []), ...this.#offers.splice(0)]
    this.#inHand = undefined
    for (const { refuse } of open) refuse(new ReaderLeft())
  }
}
