import { type Channel, channel, subscribe, unsubscribe } from 'node:diagnostics_channel'

/** One kind of news, on a diagnostics channel of its own. Telling costs nothing but a question while nobody listens. */
export class Topic<T> {
  readonly name: string
  readonly #channel: Channel

  constructor(name: string) {
    this.name = `orbweaver:${name}`
    this.#channel = channel(this.name)
  }

  /** Asked before an event is made. */
  get isHeard(): boolean {
    return this.#channel.hasSubscribers
  }

  tell(event: T): void {
    this.#channel.publish(event)
  }

  /** Listeners are called at once, in the middle of somebody's work: they must be quick and must not throw. */
  listen(listener: (event: T) => void): Disposable {
    const heard = (event: unknown) => listener(event as T)
    subscribe(this.name, heard)
    return { [Symbol.dispose]: () => void unsubscribe(this.name, heard) }
  }
}
