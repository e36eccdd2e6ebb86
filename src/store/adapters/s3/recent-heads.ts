import type { WarcPlace } from '../../url-record.ts'
import type { Identical } from '../../warc-record.ts'

const KEPT = 1024

/** The records written or read last: pages that are equal mostly come soon after each other. */
export class RecentHeads {
  readonly #heads = new Map<string, Identical>()

  at(place: WarcPlace): Identical | undefined {
    return this.#heads.get(keyOf(place))
  }

  remember(place: WarcPlace, head: Identical): Identical {
    this.#heads.set(keyOf(place), head)
    if (this.#heads.size > KEPT) this.#heads.delete(this.#heads.keys().next().value!)
    return head
  }
}

const keyOf = ({ file, offset, length }: WarcPlace): string => `${file} ${offset} ${length}`
