import type { ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Lines, Route } from './api/route.ts'

export const isLines = (answer: Route['answer']): answer is Lines => typeof answer === 'object' && 'lines' in answer

export const linesType = 'application/x-ndjson'

/** Values together in one piece, so that each costs no write of its own. */
const pieceChars = 64 * 1024

/** Sends values as they come, one a line, as fast as the other side takes them; whoever leaves early is let go. */
export async function sendLines(response: ServerResponse, values: AsyncIterable<unknown>): Promise<void> {
  response.writeHead(200, { 'content-type': linesType })
  try {
    await pipeline(Readable.from(piecesOf(values)), response)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_STREAM_PREMATURE_CLOSE') throw error
  }
}

/** A store that answers at once would never let anybody else have a turn: each piece does. */
export async function* piecesOf(values: AsyncIterable<unknown>): AsyncGenerator<string> {
  let piece = ''
  for await (const value of values) {
    piece += `${JSON.stringify(value)}\n`
    if (piece.length < pieceChars) continue
    yield piece
    piece = ''
    await nextTurn()
  }
  if (piece !== '') yield piece
}
