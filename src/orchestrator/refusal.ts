/** Why something an operator asks for is not done. `conflict`: not in the state in which things are. */
export type RefusalCode = 'not-found' | 'conflict' | 'invalid' | 'unavailable'

/** An operator asked for something that cannot be done; the message says why, and what to do. */
export class Refusal extends Error {
  readonly code: RefusalCode

  constructor(code: RefusalCode, message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'Refusal'
    this.code = code
  }
}

export const noSuchCrawl = (id: string) => new Refusal('not-found', `There is no crawl "${id}".`)
