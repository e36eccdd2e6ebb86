import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { compare, none, oracle, ours, type Reading } from '../src/parse/oracle.fixture.ts'
import { shares } from './shares.ts'
import { type Suite, Tally } from './suite.ts'

const FOLDER = 'tree-construction'

/** Where the fast pass answers otherwise on purpose; `src/parse/oracle.test.ts` tests each of them. */
const REASONS: readonly (readonly [RegExp, string])[] = [
  [/\0/, 'a NUL is left out of all text, where the tree has a replacement character in svg and plaintext'],
  [/<noscript/i, 'what stands in noscript is for browsers without scripts and not shown, also in the head'],
  [/<select/i, 'content of select is read as in the standard of 2025; the tree is older'],
  [/<table/i, 'text between the cells of a table is read where it stands; the tree moves it before the table'],
]

/** Corner cases of tree construction: links, visible words and title against the tree that parse5 builds. */
export const htmlTrees: Suite = {
  title: 'HTML: tree construction tests of html5lib',
  subject: '`src/parse/` (links, words in order, title) against parse5',
  repository: 'html5lib/html5lib-tests',
  commit: '9329e64694e7835d0dcff9811e22856ef6ad16f9',
  paths: [FOLDER],
  run(folder) {
    const tally = new Tally()
    const links = none()
    const words = none()
    for (const file of readdirSync(join(folder, FOLDER)).filter((name) => name.endsWith('.dat')))
      for (const source of documentsIn(readFileSync(join(folder, FOLDER, file), 'utf8'))) {
        const expected = oracle(source)
        const found = ours(source)
        compare(links, found.links, expected.links)
        compare(words, found.words, expected.words)
        tally.check(isSame(found, expected), `${file}: ${JSON.stringify(source)}`, reasonFor(source, found, expected))
      }
    tally.notes.push(`Links: ${shares(links)}. Words: ${shares(words)}.`)
    return tally
  },
}

/** The sources of whole documents; fragments need a parser that takes a context. */
function documentsIn(file: string): string[] {
  const cases = `\n${file}`.split('\n#data\n').slice(1)
  return cases
    .filter((text) => !text.includes('\n#document-fragment\n'))
    .map((text) => text.slice(0, text.indexOf('\n#errors')))
}

function isSame(found: Reading, expected: Reading): boolean {
  const sorted = ({ links, words, title }: Reading) => JSON.stringify([[...links].sort(), words, title])
  return sorted(found) === sorted(expected)
}

/** Only words may differ, and only for one of the reasons. */
function reasonFor(source: string, found: Reading, expected: Reading): string | undefined {
  const isOnlyWords = isSame({ ...found, words: [] }, { ...expected, words: [] })
  return isOnlyWords ? REASONS.find(([pattern]) => pattern.test(source))?.[1] : undefined
}
