import { setTimeout as sleep } from 'node:timers/promises'
import type { TestFleet } from './fleet-of-web.ts'
import type { FleetProcess } from './fleet-process.ts'
import type { MemberLife } from './member-life.ts'

type Kind = 'worker' | 'orchestrator'

export interface CrewSize {
  readonly workers: number
  readonly orchestrators: number
  /** Arguments of each worker, in turn. */
  readonly args?: readonly (readonly string[])[]
}

/** Those who work in a fleet, while some of them die, leave and join. */
export class Crew {
  readonly #fleet: TestFleet
  readonly #args: readonly (readonly string[])[]
  readonly #workers: FleetProcess[]
  readonly #orchestrators: FleetProcess[]
  readonly #all: FleetProcess[] = []
  #started = 0

  constructor(fleet: TestFleet, { workers, orchestrators, args = [[]] }: CrewSize) {
    this.#fleet = fleet
    this.#args = args
    this.#workers = Array.from({ length: workers }, () => this.#newWorker())
    this.#orchestrators = Array.from({ length: orchestrators }, () => this.#newOrchestrator())
  }

  /** kill -9 of whoever stands at this share of the list; another takes its place at once. */
  async kill(kind: Kind, victim: number): Promise<void> {
    const list = kind === 'worker' ? this.#workers : this.#orchestrators
    const n = Math.floor(victim * list.length)
    const killed = list[n]!.kill()
    list[n] = kind === 'worker' ? this.#newWorker() : this.#newOrchestrator()
    await killed
  }

  join(): void {
    this.#workers.push(this.#newWorker())
  }

  /** One leaves in order, if others remain. */
  async leave(victim: number): Promise<void> {
    if (this.#workers.length < 2) return
    const [leaving] = this.#workers.splice(Math.floor(victim * this.#workers.length), 1)
    await leaving!.stop()
  }

  /** Resolves when so many workers are at work, or there is nothing left to work on. */
  async atWork(count: number): Promise<void> {
    while (this.#workers.filter(({ said }) => said.includes('begins')).length < count) {
      if ((await this.#fleet.state()) !== 'running') return
      this.check()
      await sleep(50)
    }
  }

  /** Resolves when everybody is: who starts while an engine is away does not get to work. */
  async allAtWork(): Promise<void> {
    await this.atWork(this.#workers.length)
    while (!this.#orchestrators.every(({ said }) => said.includes('looks after'))) await sleep(50)
  }

  /** Throws when somebody has ended who was not told to. */
  check(): void {
    const gone = [...this.#workers, ...this.#orchestrators].find(({ isAlive }) => !isAlive)
    if (gone) throw new Error(`a member has ended by itself, saying:\n${gone.said}`)
  }

  async stop(): Promise<void> {
    await Promise.all([...this.#workers, ...this.#orchestrators].map((member) => member.stop()))
  }

  /** Of everybody who ever worked here. */
  lives(): MemberLife[] {
    return this.#all.map((member) => member.life())
  }

  /** What was said beyond the usual course of things. */
  get remarks(): string[] {
    return this.#all.flatMap(({ said }) => said.split('\n').filter((line) => line !== '' && !usual.test(line)))
  }

  #newWorker(): FleetProcess {
    return this.#entered(this.#fleet.worker(...this.#args[this.#started++ % this.#args.length]!))
  }

  #newOrchestrator(): FleetProcess {
    return this.#entered(this.#fleet.orchestrator())
  }

  #entered(member: FleetProcess): FleetProcess {
    this.#all.push(member)
    return member
  }
}

/**
 * Links of a page whose worker died between storing and offering them are missing until it is fetched again: whoever leads
 * may see that first.
 */
const usual = new RegExp(
  [
    'has joined the fleet|has left|: begins$|Leaving: |looks after the fleet|leads the fleet|scaling: ',
    'Dashboard and API: |: (leaves it|finished), \\d+ pages by this worker',
    'archive: finished .*, which its worker had left|URLs were missing and are queued again|alert worker-lost: ',
  ].join('|'),
)
