import { once } from 'node:events'
import { createWriteStream } from 'node:fs'
import { UsageError } from '../config/usage-error.ts'

/** Memory for lines that the disk has not taken yet. */
const maxWaitingBytes = 8 * 1024 * 1024

export interface LogFile extends AsyncDisposable {
  write(line: string): void
}

/** Appends lines to a file. A disk that is too slow or full costs lines, which are counted, and never the crawl. */
export async function openLogFile(path: string): Promise<LogFile> {
  const stream = createWriteStream(path, { flags: 'a' })
  try {
    await once(stream, 'open')
  } catch (cause) {
    throw new UsageError(`Log file ${path} cannot be opened: ${(cause as Error).message}.`, { cause })
  }
  let lost = 0
  let isBroken = false
  stream.on('error', () => {
    isBroken = true
  })
  return {
    write(line) {
      if (isBroken) return
      if (stream.writableLength > maxWaitingBytes) {
        lost++
        return
      }
      if (lost > 0) stream.write(`${JSON.stringify({ level: 'warn', event: 'lines-lost', lines: lost })}\n`)
      lost = 0
      stream.write(`${line}\n`)
    },
    async [Symbol.asyncDispose]() {
      if (isBroken) return
      stream.end()
      await Promise.race([once(stream, 'close'), once(stream, 'error')])
    },
  }
}

/** Lines on standard error. */
export const standardError: LogFile = {
  write: (line) => void process.stderr.write(`${line}\n`),
  async [Symbol.asyncDispose]() {},
}
