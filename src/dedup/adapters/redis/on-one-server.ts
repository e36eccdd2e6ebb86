import { type Decide, FirstComers, type FirstComersOptions } from '../../../engines/redis/first-comers.ts'
import { strangeValue } from '../../../engines/redis/patience.ts'
import { scriptOf } from '../../../engines/redis/script.ts'
import type { CanonicalUrl } from '../../../url/keys.ts'
import type { Applicant, Deciding } from './applicant.ts'
import { BLOCKS, hexOf, MAX_MEMBERS, MEMBER_BYTES, nearIn } from './fingerprint.ts'

/** 134 million originals in all. */
const RECORD_KEYS = 16
const MAX_RECORDS_IN_A_KEY = 1 << 23
/** Of some million originals a page meets more: then its worker compares, whose time is not everybody's. */
const MAX_COMPARED = 128

const findOrAdd = scriptOf(new URL('./find-or-add.lua', import.meta.url))

/** As find-or-add.lua answers for a page: an original, the URL of one, or what is to be compared. */
type Answer = 0 | Buffer | readonly Buffer[]

interface Question {
  readonly page: Applicant
  readonly at: number
  /** What was compared here already, as find-or-add.lua takes it. */
  readonly compared: string
}

export interface OnOneServerOptions extends Pick<FirstComersOptions<unknown, unknown>, 'courier' | 'clock' | 'holdMs'> {
  readonly base: string
}

/** Where one server has everything: pages are compared with the originals, and become some, in one step of its own. */
export class OnOneServer implements Deciding {
  readonly #keys: readonly string[]
  readonly #originals: FirstComers<Applicant, CanonicalUrl | undefined>

  constructor({ base, ...options }: OnOneServerOptions) {
    this.#originals = new FirstComers({
      ...{ ...options, script: findOrAdd, form: 'bytes' },
      ask: (pages, decide) => this.#find(pages, decide),
      isFirst: (found) => found === undefined,
    })
    this.#keys = [
      `${base}:last`,
      ...BLOCKS.map((block) => `${base}:block:${block}`),
      ...Array.from({ length: RECORD_KEYS }, (_, n) => `${base}:originals:${n}`),
    ]
  }

  decide(pages: readonly Applicant[]): Promise<readonly (CanonicalUrl | undefined)[]> {
    return this.#originals.decide(pages)
  }

  async #find(pages: readonly Applicant[], decide: Decide): Promise<readonly (CanonicalUrl | undefined)[]> {
    const found = new Array<CanonicalUrl | undefined>(pages.length).fill(undefined)
    let left: Question[] = pages.map((page, at) => ({ page, at, compared: '' }))
    while (left.length > 0) {
      const answers = await this.#call(left, decide)
      const crowded: Question[] = []
      for (const [n, { page, at }] of left.entries()) {
        const answer = answers[n]!
        if (Buffer.isBuffer(answer)) found[at] = String(answer) as CanonicalUrl
        else if (answer !== 0) crowded.push({ page, at, compared: comparedWith(answer, page) })
      }
      left = crowded
    }
    return found
  }

  async #call(questions: readonly Question[], decide: Decide): Promise<readonly Answer[]> {
    const args = [
      ...[MAX_MEMBERS, MAX_RECORDS_IN_A_KEY, MAX_COMPARED],
      ...questions.flatMap(({ page, compared }) => [page.simhash, page.url, compared]),
    ]
    const answers = (await decide({ keys: this.#keys, args })) as readonly unknown[]
    if (answers[0] === -1) throw strangeValue(String(answers[1]))
    return answers as readonly Answer[]
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#originals[Symbol.dispose]()
  }
}

function comparedWith(members: readonly Buffer[], { fingerprint }: Applicant): string {
  const near = BLOCKS.flatMap((block) => [...nearIn(members[block]!, fingerprint, block)].map(hexOf))
  return [...members.map(({ length }) => length / MEMBER_BYTES), ...new Set(near)].join(' ')
}
