import { isLongerThan, type PageText } from '../parse/page-text.ts'

/** Small, and the same for so many different URLs of a host in a row: a wall, whatever it says. */
const IN_A_ROW = 8
const MAX_TEXT_CHARS = 400
const MAX_HOSTS = 10_000

interface Row {
  readonly hash: string
  times: number
}

/**
 * Notices hosts that answer every URL with the same few words. Knows what it saw in this thread, which is where a host's
 * pages are read; a page without any words may be a program that draws itself, and does not count.
 */
export class RepeatedBodies {
  /** The longest unused first. */
  readonly #rows = new Map<string, Row>()

  /** Whether this is one too many. */
  isWall(host: string, hash: string, text: PageText): boolean {
    const row = this.#rows.get(host)
    if (text === '' || isLongerThan(text, MAX_TEXT_CHARS)) {
      if (row) this.#rows.delete(host)
      return false
    }
    if (row?.hash === hash) return ++row.times > IN_A_ROW
    this.#rows.delete(host)
    this.#rows.set(host, { hash, times: 1 })
    if (this.#rows.size > MAX_HOSTS) this.#rows.delete(this.#rows.keys().next().value!)
    return false
  }
}
