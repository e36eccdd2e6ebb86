import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { parseConfig } from '../config.ts'
import { readHtml } from '../html.ts'
import { languageInTypeScript } from '../language.ts'
import { loadScanner } from './page-scanner.ts'
import { languageInWasm } from './wasm-language.ts'

const scanner = loadScanner()!()

/** `undefined` where it is left to TypeScript. */
function found(text: string): string | undefined {
  assert.ok(scanner.makeRoomForText(text))
  return scanner.language()
}

function alike(text: string): void {
  assert.equal(found(text) ?? languageInTypeScript(text), languageInTypeScript(text), JSON.stringify(text))
}

const english = "The quick brown fox doesn’t jump over the lazy dog, which wouldn't have been surprised"
const german = "Die Fähre über den Fluß fährt täglich, außer wenn Hochwasser ist; ÄRGER gibt es ``nie''"
const words =
  "of the and et la l'eau qu’il der große ÉTÉ Ⱥ ſ ŉ İ ǅ ’ ' ` '’ – “x” 12 ½ don't 'tis Ωmega мир 日本 \u{20000} \ufeff \ufffd".split(
    ' ',
  )
const part = fc.oneof(
  ...[english, german].map((sentence) => fc.constant(sentence)),
  fc.array(fc.constantFrom(...words.slice(0, 26)), { maxLength: 60 }).map((words) => words.join(' ')),
  fc.array(fc.constantFrom(...words), { maxLength: 20 }).map((words) => words.join(' ')),
  fc.string({ unit: 'binary', maxLength: 4 }).filter((text) => text.isWellFormed()),
  fc.stringMatching(/^[a-zé]{0,120}$/),
)
const text = fc
  .array(part, { maxLength: 30 })
  .chain((parts) => fc.constantFrom(' ', '\n', '', "'").map((gap) => parts.join(gap)))

test('any text has the language that the TypeScript one finds', () => {
  fc.assert(fc.property(text, alike), { numRuns: 3000 })
})

test('text in Latin letters is not left to TypeScript, menus and short texts neither', () => {
  for (const [text, language] of [
    [english, 'en'],
    [german, 'de'],
    [`${'Home\nNews\n'.repeat(500)}${german}`, 'de'],
    [`${english.repeat(20)}мир`, 'en'],
    ['short', ''],
    ['', ''],
  ] as const) {
    assert.equal(found(text), language)
    alike(text)
  }
})

test('every code unit counts as it does there', () => {
  for (let code = 0; code < 0x10000; code += code < 0x600 ? 1 : 97)
    if (code < 0xd800 || code >= 0xe000) alike(`${english} a${String.fromCharCode(code)}b ${german}`)
})

test('lines are long or short by their characters, and samples end anywhere', () => {
  for (let length = 70; length < 90; length++)
    for (const letter of ['a', 'é', '’'])
      alike(`${letter.repeat(length)}\n${german}${english}\n${letter.repeat(length)}`)
  for (let length = 900; length < 1010; length++)
    alike(`${'1 '.repeat(length / 2)}${'é’'.repeat(length % 7)} ${english}`)
  for (let length = 280; length < 420; length++) alike(`${'é'.repeat(length)} ${english}`)
  for (let length = 1; length < 420; length++) alike(`${"a' ".repeat(length)}${english}`)
  for (const before of [99_990, 99_999, 100_000, 100_001, 150_000]) alike(`${'é\n'.repeat(before / 2)}${german}`)
})

test('only the text of the page that was read last is looked for in memory', () => {
  const read = (html: string) =>
    readHtml(Buffer.from(html), { config: parseConfig.parse({}), allLinks: false, withText: true })
  const first = read(`<p>${german.repeat(30)}`).text
  assert.equal(languageInWasm(first), 'de')
  const second = read(`<p>${english.repeat(30)}`).text
  assert.equal(languageInWasm(first), undefined)
  assert.equal(languageInWasm(second), 'en')
})
