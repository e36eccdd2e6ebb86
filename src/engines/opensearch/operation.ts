/** One write, ready to be sent; it may be sent twice. */
export interface Operation {
  /** For people: whose write it is. */
  readonly subject: string
  /** Its lines of the bulk, each with its line feed. */
  readonly bytes: Uint8Array
  /**
   * What a conflict of versions says: `done`, the engine has this or something newer; `again`, another writer was at the
   * document at the same moment.
   */
  readonly onConflict: 'done' | 'again'
}

export function operation(
  subject: string,
  onConflict: Operation['onConflict'],
  action: object,
  source?: object,
): Operation {
  const lines = source === undefined ? line(action) : line(action) + line(source)
  return { subject, onConflict, bytes: Buffer.from(lines) }
}

const line = (value: object) => `${JSON.stringify(value)}\n`
