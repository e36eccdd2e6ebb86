import { readFileSync, writeFileSync } from 'node:fs'
import { pathToFileURL } from 'node:url'
import { LAST_SPACE, restOf, SLOTS, scoreOf, slotOf } from '../src/parse/gram-table.ts'
import { LANGUAGE_BYTES, languageTables } from '../src/parse/language-model.ts'

/**
 * Makes of the tables of the package eld (Apache-2.0, Nito T.M.) those that `src/parse/language-model.ts` reads:
 * `node scripts/language-tables.ts`.
 */
export function tablesOfEld(): Buffer {
  const entry = import.meta.resolve('eld')
  const dictionary = readFileSync(new URL('../dictionary.js', entry), 'utf8')
  const source = readFileSync(new URL(`../ngrams/${SIZE}.js`, entry), 'utf8')
  const gramsAt = source.indexOf(GRAMS)
  const languages = [...source.slice(0, gramsAt).matchAll(/\d+:'([a-z]{2})'/g)].map((match) => match[1]!)
  if (gramsAt < 0 || languages.length === 0)
    throw new Error('The tables of the package eld are not in the form we know.')
  return Buffer.concat([
    Buffer.from(languages.join('').padEnd(LANGUAGE_BYTES)),
    ...tables(gramsIn(source.slice(gramsAt + GRAMS.length), bytesOf(dictionary))),
  ])
}

/** Of eld's sizes the smallest that is right as often as the larger ones on whole paragraphs. */
const SIZE = 'small'
const GRAMS = 'ngrams:{'

interface Gram {
  readonly bytes: readonly number[]
  readonly scores: readonly number[]
}

/** Reads `'abcd':{11:52,17:40},efgh:{…},…}`, as eld's files have it: keys of plain letters stand without quotes. */
function* gramsIn(source: string, byteOf: ReadonlyMap<string, number>): Generator<Gram> {
  for (const [, quoted, plain, scores] of source.matchAll(/(?:'((?:\\.|[^\\'])*)'|([^',{}:]+)):\{([^}]*)\}/g)) {
    const letters = [...(quoted ?? plain)!.replaceAll(/\\(.)/g, '$1')]
    yield {
      bytes: letters.map((letter) => byteOf.get(letter) ?? letter.charCodeAt(0)),
      scores: scores!.split(',').map((pair) => {
        const [language, score] = pair.split(':').map(Number)
        return scoreOf(language!, score!)
      }),
    }
  }
}

function tables(grams: Iterable<Gram>): [Buffer, Buffer] {
  const slots = new Int32Array(SLOTS * 2)
  const many: number[] = []
  for (const { bytes, scores } of [...grams].sort((a, b) => leadOf(a) - leadOf(b))) {
    const [a = 0, b = 0, c = 0, d = 0, fifth = 0, sixth, ...more] = bytes
    // Our grams end with a space where they have six bytes: others are never asked for.
    if (more.length > 0 || (sixth !== undefined && sixth !== SPACE)) continue
    const low = a | (b << 8) | (c << 16) | (d << 24)
    const high = fifth | (sixth === undefined ? 0 : LAST_SPACE)
    const slot = slotOf(slots, low, high)
    slots[slot] = low
    slots[slot + 1] = restOf(high, scores.length === 1 ? scores[0]! : many.length, scores.length === 1)
    if (scores.length > 1) many.push(scores.length, ...scores)
  }
  const slotBytes = Buffer.alloc(SLOTS * 8)
  slots.forEach((number, i) => {
    slotBytes.writeInt32LE(number, i * 4)
  })
  const scoreBytes = Buffer.alloc(many.length * 2)
  many.forEach((number, i) => {
    scoreBytes.writeUInt16LE(number, i * 2)
  })
  return [slotBytes, scoreBytes]
}

/**
 * Grams of one language follow one another, the frequent ones first: so those of a text stand in few lines of the cache, and
 * mostly where they are looked for first.
 */
function leadOf({ scores }: Gram): number {
  const lead = scores.reduce((a, b) => ((a & 0xff) >= (b & 0xff) ? a : b))
  return (lead | 0xff) - (lead & 0xff)
}

const SPACE = 0x20

/** eld writes each byte above 0x7f as a character of its own choice; this is the way back. */
function bytesOf(dictionary: string): Map<string, number> {
  const chars = [...dictionary.slice(dictionary.indexOf('[')).matchAll(/'(\\?.)'/gu)].map((match) => match[1]!.at(-1)!)
  return new Map(chars.flatMap((char, byte) => (byte >= 0x80 && char !== ' ' ? [[char, byte]] : [])))
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const bytes = tablesOfEld()
  writeFileSync(languageTables, bytes)
  console.log(`${languageTables.pathname}: ${bytes.length} bytes`)
}
