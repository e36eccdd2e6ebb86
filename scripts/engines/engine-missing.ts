/** An engine that cannot be had on this machine; the message is one sentence that says what is missing. */
export class EngineMissing extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'EngineMissing'
  }
}
