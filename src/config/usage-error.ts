/** The user asked for something that cannot be: a wrong setting, a bad pattern. Its message is one clear sentence; exit code 2. */
export class UsageError extends Error {
  readonly exitCode = 2

  constructor(message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'UsageError'
  }
}
