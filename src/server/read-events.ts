import { readLines } from './read-lines.ts'

/** One message of a stream of Server-Sent Events. */
export interface ServerEvent {
  readonly event: string
  readonly data: string
}

/** Reads a stream of Server-Sent Events. Comments, which keep the connection alive, are left out. */
export async function* readEvents(body: ReadableStream<Uint8Array>): AsyncIterable<ServerEvent> {
  let message: string[] = []
  for await (const line of readLines(body)) {
    if (line !== '') {
      message.push(line)
      continue
    }
    const read = eventOf(message)
    if (read) yield read
    message = []
  }
}

function eventOf(lines: readonly string[]): ServerEvent | undefined {
  const field = (name: string) =>
    lines.filter((line) => line.startsWith(`${name}:`)).map((line) => line.slice(name.length + 1).trimStart())
  const data = field('data')
  if (data.length === 0) return undefined
  return { event: field('event')[0] ?? 'message', data: data.join('\n') }
}
