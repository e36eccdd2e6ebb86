/** A message as it lies in a partition. */
export interface Letter {
  readonly offset: bigint
  readonly key: string
  readonly value: string
}

/** A letter that was handed out, and the lane that waits to hear that it was handled. */
export interface Taken extends Letter {
  readonly lane: Lane
}

/**
 * One partition while we own it: what was fetched and not yet handed out, what was handed out and not yet handled, and
 * how far it may be committed: never past a letter that is still being handled, in whatever order they end.
 */
export class Lane {
  readonly topic: string
  readonly partition: number
  /** The next offset to fetch. */
  position: bigint
  /** As the brokers know it; -1n: they know none. */
  committed: bigint
  /** Where the partition begins: what lay before was deleted. */
  first: bigint
  #committable: bigint
  #fetched: Letter[] = []
  #fetchedFrom = 0
  readonly #open: { readonly offset: bigint; isHandled: boolean }[] = []

  /** Begins after what was committed, or with the first letter there is. */
  constructor(topic: string, partition: number, first: bigint, committed: bigint) {
    const position = committed > first ? committed : first
    this.topic = topic
    this.partition = partition
    this.position = position
    this.committed = committed
    this.first = first
    this.#committable = position
  }

  /** Fetched and not yet handed out. */
  get waiting(): number {
    return this.#fetched.length - this.#fetchedFrom
  }

  /** Every letter before this offset was handled. */
  get committable(): bigint {
    return this.#committable
  }

  get mayCommit(): boolean {
    return this.#committable > this.committed
  }

  /** `next`: the offset after the last one of the answer, which is not always a letter's. */
  receive(letters: readonly Letter[], next: bigint): void {
    for (const letter of letters) if (letter.offset >= this.position) this.#fetched.push(letter)
    if (next > this.position) this.position = next
    this.#advance()
  }

  /** The oldest letters, in order. */
  take(max: number): Taken[] {
    const until = Math.min(this.#fetchedFrom + max, this.#fetched.length)
    const taken = this.#fetched.slice(this.#fetchedFrom, until).map((letter) => ({ ...letter, lane: this }))
    this.#fetchedFrom = until
    if (this.#fetchedFrom === this.#fetched.length) {
      this.#fetched = []
      this.#fetchedFrom = 0
    }
    for (const { offset } of taken) this.#open.push({ offset, isHandled: false })
    return taken
  }

  handled(offset: bigint): void {
    const entry = this.#open.find((open) => open.offset === offset)
    if (entry) entry.isHandled = true
    this.#advance()
  }

  #advance(): void {
    while (this.#open[0]?.isHandled) this.#open.shift()
    this.#committable = this.#open[0]?.offset ?? this.#fetched[this.#fetchedFrom]?.offset ?? this.position
  }
}
