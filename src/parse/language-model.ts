import { readFileSync } from 'node:fs'

/**
 * The n-gram tables of the package eld (Apache-2.0, Nito T.M.) as flat arrays. The package's own form, an object of eighty
 * thousand objects, takes 0.4 s and 150 MiB to load; reading its file as text takes a sixth of both.
 */
export interface LanguageModel {
  /** Two-letter codes; scores are by their place. */
  readonly languages: readonly string[]
  readonly grams: GramTable
}

export function loadLanguageModel(): LanguageModel {
  const entry = import.meta.resolve('eld')
  const dictionary = readFileSync(new URL('../dictionary.js', entry), 'utf8')
  const source = readFileSync(new URL(`../ngrams/${SIZE}.js`, entry), 'utf8')
  const gramsAt = source.indexOf(GRAMS)
  const languages = [...source.slice(0, gramsAt).matchAll(/\d+:'([a-z]+)'/g)].map((match) => match[1]!)
  if (gramsAt < 0 || languages.length === 0)
    throw new Error('The tables of the package eld are not in the form we know.')
  return { languages, grams: readGrams(source, gramsAt + GRAMS.length, bytesOf(dictionary)) }
}

/** Of eld's sizes the smallest that is right as often as the larger ones on whole paragraphs. */
const SIZE = 'small'
const GRAMS = 'ngrams:{'

/** One and a half times the n-grams of the file: a smaller table stays in the cache. */
const SLOTS = 1 << 17
/** Scores are stored less this, to keep the file small. */
const BASE_SCORE = 53

/** Numbers of a slot, side by side so that a look-up touches one line of the cache. */
const SLOT_NUMBERS = 4
const LOW = 0
const HIGH = 1
/** Where the scores begin; 0: the slot is free. */
const PLACE = 2
/** The text that the n-gram was last tallied for. */
const TEXT = 3

/**
 * N-grams of up to six bytes (`low` the first four, `high` the rest, little-endian) with the score that each gives to some
 * languages. A hash table with open addressing; the scores lie one after another, led by their count.
 */
export class GramTable {
  readonly #slots = new Int32Array(SLOTS * SLOT_NUMBERS)
  #scores: Uint16Array
  #used = 1
  #last = 0
  #text = 0

  constructor(maxScores: number) {
    this.#scores = new Uint16Array(maxScores)
  }

  /** Begins an n-gram; its scores follow. */
  add(low: number, high: number): void {
    const slot = this.#slot(low, high)
    this.#slots[slot + LOW] = low
    this.#slots[slot + HIGH] = high
    this.#slots[slot + PLACE] = this.#last = this.#used++
  }

  /** A score of the n-gram that was added last. */
  addScore(language: number, score: number): void {
    this.#scores[this.#used++] = (language << 8) | score
    this.#scores[this.#last]!++
  }

  /** Lets go of what was reserved too much. */
  finish(): this {
    this.#scores = this.#scores.slice(0, this.#used)
    return this
  }

  /** Begins a text, in which every n-gram counts once. */
  beginText(): void {
    this.#text = (this.#text + 1) | 0
  }

  /** Adds what an n-gram says to the sums of the languages, unless it has spoken in this text. */
  tally(low: number, high: number, sums: Int32Array): void {
    const slots = this.#slots
    const slot = this.#slot(low, high)
    const place = slots[slot + PLACE]!
    if (place === 0 || slots[slot + TEXT] === this.#text) return
    slots[slot + TEXT] = this.#text
    const scores = this.#scores
    const last = place + scores[place]!
    for (let i = place + 1; i <= last; i++) sums[scores[i]! >> 8]! += (scores[i]! & 0xff) + BASE_SCORE
  }

  /** The slot of the n-gram, or the free one where it would stand. */
  #slot(low: number, high: number): number {
    const slots = this.#slots
    const mixed = Math.imul(low ^ Math.imul(high + 1, 0x9e3779b1), 0x85ebca6b)
    let slot = ((mixed ^ (mixed >>> 15)) & (SLOTS - 1)) * SLOT_NUMBERS
    while (slots[slot + PLACE] !== 0 && (slots[slot + LOW] !== (low | 0) || slots[slot + HIGH] !== high))
      slot = (slot + SLOT_NUMBERS) & (SLOTS * SLOT_NUMBERS - 1)
    return slot
  }
}

const QUOTE = 0x27
const BACKSLASH = 0x5c
const COMMA = 0x2c
const COLON = 0x3a
const CLOSE = 0x7d

/** Reads `'abcd':{11:52,17:40},efgh:{…},…}`, as eld's files have it: keys of plain letters stand without quotes. */
function readGrams(source: string, from: number, byteOf: Uint8Array): GramTable {
  const table = new GramTable(source.length >> 2)
  const use = (language: number, score: number) => table.addScore(language, score)
  for (let at = from; source.charCodeAt(at) !== CLOSE && at < source.length; ) {
    const isQuoted = source.charCodeAt(at) === QUOTE
    let low = 0
    let high = 0
    if (isQuoted) at++
    for (let size = 0, code = 0; (code = source.charCodeAt(at)) !== (isQuoted ? QUOTE : COLON); size++, at++) {
      const byte = byteOf[code === BACKSLASH ? source.charCodeAt(++at) : code]!
      if (size < 4) low |= byte << (size * 8)
      else high |= byte << ((size - 4) * 8)
    }
    table.add(low, high)
    at = readScores(source, at + (isQuoted ? 3 : 2), use)
    if (source.charCodeAt(at) === COMMA) at++
  }
  return table.finish()
}

/** Reads `11:52,17:40}` and answers the place behind it. */
function readScores(source: string, from: number, use: (language: number, score: number) => void): number {
  let language = 0
  let number = 0
  for (let at = from; at < source.length; at++) {
    const code = source.charCodeAt(at)
    if (code === COLON) {
      language = number
      number = 0
    } else if (code === COMMA || code === CLOSE) {
      use(language, number)
      number = 0
      if (code === CLOSE) return at + 1
    } else number = number * 10 + code - 0x30
  }
  return source.length
}

/** eld writes each byte above 0x7f as a character of its own choice; this is the way back. */
function bytesOf(dictionary: string): Uint8Array {
  const chars = [...dictionary.slice(dictionary.indexOf('[')).matchAll(/'(\\?.)'/gu)].map((match) => match[1]!.at(-1)!)
  const bytes = new Uint8Array(0x10000)
  for (let code = 0; code < 0x80; code++) bytes[code] = code
  for (let byte = 0x80; byte < chars.length; byte++) if (chars[byte] !== ' ') bytes[chars[byte]!.charCodeAt(0)] = byte
  return bytes
}
