import { setImmediate as nextTurn } from 'node:timers/promises'
import type { HostKey } from '../../../url/keys.ts'
import type { HostQuery, HostSort } from '../../ledger.ts'
import { BestFew } from './best-few.ts'
import { HostNames } from './host-names.ts'

/** Numbers of a host, in the order in which census.lua tells them. */
const columns = ['open', 'leased', 'done', 'excluded', 'dead', 'gapMs', 'nextTouchAt'] as const
type Column = (typeof columns)[number]

/** Others on the thread have their turn after so many. */
const hostsInATurn = 50_000
const keptAnswers = 100

export interface CensusAnswer {
  readonly total: number
  readonly hosts: readonly HostKey[]
}

/**
 * All hosts of a crawl as they were at one moment, by what they are sorted by: some 90 bytes each, outside the heap. For
 * crawls with so many that reading them anew for each question would keep the engine from its work.
 */
export class HostCensus {
  readonly #names = new HostNames()
  readonly #numbers = Object.fromEntries(columns.map((name) => [name, new Float64Array(1024)])) as Record<
    Column,
    Float64Array<ArrayBuffer>
  >
  readonly #answers = new Map<string, Promise<CensusAnswer>>()

  get count(): number {
    return this.#names.count
  }

  /** As census.lua answers them. */
  add(lines: string): void {
    if (lines === '') return
    for (const line of lines.split('\n')) {
      const [name, ...numbers] = line.split('\t') as [string, ...string[]]
      const index = this.#names.count
      this.#names.add(name)
      for (const [at, column] of columns.entries()) this.#set(column, index, Number(numbers[at]))
    }
  }

  /** Asked again, the answer is the same: it is found once. */
  find(query: HostQuery): Promise<CensusAnswer> {
    const key = JSON.stringify(query)
    let answer = this.#answers.get(key)
    if (!answer) {
      if (this.#answers.size >= keptAnswers) this.#answers.clear()
      answer = this.#find(query)
      this.#answers.set(key, answer)
    }
    return answer
  }

  async #find({ search, sort, order, offset, limit }: HostQuery): Promise<CensusAnswer> {
    const first = new BestFew(offset + limit, this.#comparison(sort, order))
    let total = 0
    for (const index of search === '' ? everyIndex(this.count) : this.#names.containing(search)) {
      first.see(index)
      if (++total % hostsInATurn === 0) await nextTurn()
    }
    const hosts = first.sorted().slice(offset)
    return { total, hosts: hosts.map((index) => this.#names.at(index) as HostKey) }
  }

  /** Equal ones by name. */
  #comparison(sort: HostSort, order: 'asc' | 'desc'): (one: number, other: number) => number {
    const direction = order === 'asc' ? 1 : -1
    const byName = (one: number, other: number) => this.#names.compare(one, other)
    if (sort === 'name') return (one, other) => direction * byName(one, other)
    const measure = this.#measure(sort)
    return (one, other) => direction * (measure(one) - measure(other)) || byName(one, other)
  }

  #measure(sort: Exclude<HostSort, 'name'>): (index: number) => number {
    const { open, leased, done, excluded, dead, gapMs, nextTouchAt } = this.#numbers
    const read = (numbers: Float64Array) => (index: number) => numbers[index]!
    const measures: Readonly<Record<typeof sort, (index: number) => number>> = {
      urls: (index) => open[index]! + done[index]! + excluded[index]! + dead[index]!,
      queued: (index) => open[index]! - leased[index]!,
      ...{ done: read(done), dead: read(dead), excluded: read(excluded), gap: read(gapMs), next: read(nextTouchAt) },
    }
    return measures[sort]
  }

  #set(column: Column, index: number, value: number): void {
    let numbers = this.#numbers[column]
    if (index >= numbers.length) {
      const larger = new Float64Array(2 * numbers.length)
      larger.set(numbers)
      this.#numbers[column] = numbers = larger
    }
    numbers[index] = value
  }
}

function* everyIndex(count: number): Iterable<number> {
  for (let index = 0; index < count; index++) yield index
}
