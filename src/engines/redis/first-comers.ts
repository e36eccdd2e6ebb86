import { readFileSync } from 'node:fs'
import type { Clock } from '../../clock.ts'
import type { Courier } from './courier.ts'
import { Lately } from './lately.ts'
import type { Form, Order } from './order.ts'
import { calledBy, Script } from './script.ts'

export interface FirstComersOptions<Item, Answer> {
  readonly courier: Courier
  readonly clock: Clock
  /** Decides who came first. Asked again for the same it answers the same. */
  readonly script: Script
  readonly form?: Form
  /** Asks on some items. What `decide` answers is never nil. */
  readonly ask: (items: readonly Item[], decide: Decide) => Promise<readonly Answer[]>
  readonly isFirst: (answer: Answer, item: Item) => boolean
  /** How long nothing is decided after an engine was found to be new: by then all workers have reminded it. */
  readonly holdMs?: number | undefined
}

/** Runs the script. */
export type Decide = (order: Required<Pick<Order, 'keys' | 'args'>>) => Promise<unknown>

const ifMeant = readFileSync(new URL('./if-meant.lua', import.meta.url), 'utf8')

/**
 * Decisions of an engine on who came first, which hold although it may forget the last of them. Each question names the
 * engine that it is meant for, so that one that was restarted, or has taken over, answers none before it is reminded: by
 * every worker of those that were first lately. All had the time to when the first of them asks again.
 */
export class FirstComers<Item, Answer> implements Disposable {
  readonly #options: FirstComersOptions<Item, Answer>
  readonly #script: Script
  readonly #lately: Lately<Item>
  readonly #stopListening: () => void
  /** The engine that was asked; '': any will do. */
  #engine = ''
  #holding: Promise<void> | undefined

  constructor(options: FirstComersOptions<Item, Answer>) {
    this.#options = options
    this.#lately = new Lately(options.clock)
    this.#script = new Script(calledBy(ifMeant, options.script.source))
    // One that has nothing to ask must remind it as well. If it fails it is away, which those who ask are told.
    this.#stopListening = options.courier.onNewEngine(() => void this.#remind().catch(() => {}))
  }

  async decide(items: readonly Item[]): Promise<readonly Answer[]> {
    const { isFirst } = this.#options
    for (;;) {
      await this.#holding
      try {
        const answers = await this.#ask(items, this.#engine)
        this.#lately.add(items.filter((item, n) => isFirst(answers[n]!, item)))
        return answers
      } catch (error) {
        if (!(error instanceof NewEngine)) throw error
        if (error.engine !== this.#engine) this.#holding ??= this.#hold(error.engine)
      }
    }
  }

  [Symbol.dispose](): void {
    this.#stopListening()
  }

  #ask(items: readonly Item[], meant: string): Promise<readonly Answer[]> {
    const { courier, form, ask } = this.#options
    return ask(items, async ({ keys, args }) => {
      const order = { script: this.#script, keys, args: [...args, meant], mayWait: 'briefly' } as const
      const [engine, ...answer] = (await courier.ask(order, form)) as unknown[]
      if (answer.length === 0) throw new NewEngine(String(engine))
      if (meant === '') this.#engine ||= String(engine)
      return answer[0]
    })
  }

  async #hold(engine: string): Promise<void> {
    const { clock, holdMs = 5000 } = this.#options
    try {
      await this.#remind()
      await clock.sleep(holdMs)
      this.#engine = engine
    } finally {
      this.#holding = undefined
    }
  }

  async #remind(): Promise<void> {
    for (const items of this.#lately.groups()) await this.#ask(items, '')
  }
}

class NewEngine extends Error {
  readonly engine: string

  constructor(engine: string) {
    super('Another engine has taken over.')
    this.engine = engine
  }
}
