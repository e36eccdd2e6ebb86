import { wideNumber } from './log-format.ts'
import type { NumberedWords } from './numbered-words.ts'

const [encoder, decoder] = [new TextEncoder(), new TextDecoder()]

/** The numbers of the words of a text, one for each. */
export function numbersIn(table: NumberedWords, text: string): number[] {
  const bytes = encoder.encode(`${text}\0`)
  const numbers = table.numbersOf(bytes, bytes.length - 1)
  const read: number[] = []
  for (let i = 0; i < numbers.length; i++)
    read.push(numbers[i]! < wideNumber ? numbers[i]! : ((numbers[i]! & 0xff) << 16) | numbers[++i]!)
  return read
}

export const wordsIn = (table: NumberedWords) =>
  Array.from({ length: table.count }, (_, id) =>
    decoder.decode(table.bytes.subarray(table.startOf(id), table.ends[id])),
  )
