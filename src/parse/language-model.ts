import { readFileSync } from 'node:fs'

/**
 * The n-gram tables of the package eld (Apache-2.0, Nito T.M.) as flat arrays. The package's own form, an object of tens of
 * thousands of objects, takes half a second and 150 MiB to load; reading its file as text takes a tenth of both.
 */
export interface LanguageModel {
  /** Two-letter codes; scores are by their place. */
  readonly languages: readonly string[]
  /** Adds the score of every language for an n-gram of bytes, given by its two halves (`gramKey`). */
  addScores(low: number, high: number, scores: Int32Array): void
}

/** An n-gram is up to six bytes: the first four and the last two as numbers, 0 where there are none. */
export const MAX_GRAM_BYTES = 6
/** Scores are stored less this, to keep the file small. */
const BASE_SCORE = 53

export function loadLanguageModel(): LanguageModel {
  const entry = import.meta.resolve('eld')
  const source = readFileSync(new URL(`../ngrams/${SIZE}.js`, entry), 'utf8')
  return parseLanguageModel(source, byteOf(readFileSync(new URL('../dictionary.js', entry), 'utf8')))
}

/** Of eld's sizes the one that is right as often as the larger ones on whole paragraphs. */
const SIZE = 'small'

const QUOTE = 0x27
const BACKSLASH = 0x5c
const COMMA = 0x2c
const COLON = 0x3a
const CLOSE = 0x7d

function parseLanguageModel(source: string, byteOfCode: Uint8Array): LanguageModel {
  const languages = [...source.slice(0, source.indexOf('ngrams:')).matchAll(/(\d+):'([a-z]+)'/g)].map(
    (match) => match[2]!,
  )
  let at = source.indexOf('ngrams:{') + 'ngrams:{'.length
  if (languages.length === 0 || at < 8)
    throw new Error('The tables of the package eld are not in the form that is known.')
  const capacity = 1 << 18
  const lows = new Uint32Array(capacity)
  const highs = new Uint16Array(capacity)
  const places = new Uint32Array(capacity)
  const scores = new Uint16Array(source.length >> 2)
  let used = 1
  while (at < source.length && source.charCodeAt(at) !== CLOSE) {
    let low = 0
    let high = 0
    let size = 0
    // Keys that are words of plain letters stand without quotes.
    const isQuoted = source.charCodeAt(at) === QUOTE
    const stop = isQuoted ? QUOTE : COLON
    if (isQuoted) at++
    for (let code = source.charCodeAt(at); code !== stop; code = source.charCodeAt(at)) {
      if (code === BACKSLASH) code = source.charCodeAt(++at)
      const byte = byteOfCode[code]!
      if (size < 4) low |= byte << (size * 8)
      else high |= byte << ((size - 4) * 8)
      size++
      at++
    }
    let slot = slotOf(low, high, capacity)
    while (places[slot] !== 0) slot = (slot + 1) & (capacity - 1)
    lows[slot] = low
    highs[slot] = high
    places[slot] = used
    const countAt = used++
    at += isQuoted ? 3 : 2
    for (;;) {
      const language = source.charCodeAt(at)
      let number = 0
      let code = language
      for (; code !== COLON; code = source.charCodeAt(++at)) number = number * 10 + code - 0x30
      let score = 0
      code = source.charCodeAt(++at)
      for (; code !== COMMA && code !== CLOSE; code = source.charCodeAt(++at)) score = score * 10 + code - 0x30
      scores[used++] = (number << 8) | score
      at++
      if (code === CLOSE) break
    }
    scores[countAt] = used - countAt - 1
    if (source.charCodeAt(at) === COMMA) at++
  }
  const packed = scores.slice(0, used)
  return {
    languages,
    addScores(low, high, sums) {
      let slot = slotOf(low, high, capacity)
      for (;;) {
        const place = places[slot]!
        if (place === 0) return
        if (lows[slot] === low >>> 0 && highs[slot] === high) {
          const count = packed[place]!
          for (let i = place + 1; i <= place + count; i++) sums[packed[i]! >> 8]! += (packed[i]! & 0xff) + BASE_SCORE
          return
        }
        slot = (slot + 1) & (capacity - 1)
      }
    },
  }
}

function slotOf(low: number, high: number, capacity: number): number {
  const mixed = Math.imul(low ^ Math.imul(high + 1, 0x9e3779b1), 0x85ebca6b)
  return (mixed ^ (mixed >>> 15)) & (capacity - 1)
}

/** eld writes each byte above 0x7f as a character of its own choice; this is the way back. */
function byteOf(dictionary: string): Uint8Array {
  const chars = [...dictionary.slice(dictionary.indexOf('[')).matchAll(/'(\\?.)'/gu)].map((match) => match[1]!.at(-1)!)
  const bytes = new Uint8Array(0x10000)
  for (let code = 0; code < 0x80; code++) bytes[code] = code
  for (let byte = 0x80; byte < chars.length; byte++) if (chars[byte] !== ' ') bytes[chars[byte]!.charCodeAt(0)] = byte
  return bytes
}
