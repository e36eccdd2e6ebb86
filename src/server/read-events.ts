/** One message of a stream of Server-Sent Events. */
export interface ServerEvent {
  readonly event: string
  readonly data: string
}

/** Reads a stream of Server-Sent Events. Comments, which keep the connection alive, are left out. */
export async function* readEvents(body: ReadableStream<Uint8Array>): AsyncIterable<ServerEvent> {
  const decoder = new TextDecoder()
  const reader = body.getReader()
  let text = ''
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return
      text += decoder.decode(value, { stream: true })
      const messages = text.split('\n\n')
      text = messages.pop()!
      for (const message of messages) {
        const read = eventOf(message)
        if (read) yield read
      }
    }
  } finally {
    await reader.cancel()
  }
}

function eventOf(message: string): ServerEvent | undefined {
  const lines = message.split('\n')
  const field = (name: string) =>
    lines.filter((line) => line.startsWith(`${name}:`)).map((line) => line.slice(name.length + 1).trimStart())
  const data = field('data')
  if (data.length === 0) return undefined
  return { event: field('event')[0] ?? 'message', data: data.join('\n') }
}
