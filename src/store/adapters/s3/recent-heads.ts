import type { WarcPlace } from '../../url-record.ts'
import type { OriginalResponse } from '../../warc-record.ts'

/** What a revisit of a stored record needs to know about it. */
export interface KnownHead {
  readonly digest: string
  readonly original: OriginalResponse
}

const KEPT = 1024

/** The records written or read last: pages that are equal mostly come soon after each other. */
export class RecentHeads {
  readonly #heads = new Map<string, KnownHead>()

  at(place: WarcPlace): KnownHead | undefined {
    return this.#heads.get(keyOf(place))
  }

  remember(place: WarcPlace, head: KnownHead): KnownHead {
    this.#heads.set(keyOf(place), head)
    if (this.#heads.size > KEPT) this.#heads.delete(this.#heads.keys().next().value!)
    return head
  }
}

const keyOf = ({ file, offset, length }: WarcPlace): string => `${file} ${offset} ${length}`
