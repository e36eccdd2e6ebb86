import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { toUtf8 } from '../src/parse/charset.ts'
import { compare, none, oracle, ours, precision, recall } from '../src/parse/oracle.fixture.ts'
import { shares } from './shares.ts'
import { Tally } from './suite.ts'

const LEAST_OF_LINKS = 0.999
const LEAST_OF_WORDS = 0.995

const UNTITLED = 'a page without a title takes the one that it gives to social networks'

/** Pages as they were found, gzip-compressed, in one folder. */
export function realPages(folder: string): Tally {
  const tally = new Tally()
  const links = none()
  const words = none()
  for (const file of readdirSync(folder).filter((name) => name.endsWith('.gz'))) {
    const body = gunzipSync(readFileSync(join(folder, file)))
    const expected = oracle(toUtf8(body, 'text/html').bytes.toString())
    const found = ours(body)
    compare(links, found.links, expected.links)
    compare(words, found.words, expected.words)
    const isSame = JSON.stringify([...found.links].sort()) === JSON.stringify([...expected.links].sort())
    const reason = isSame && expected.title === '' ? UNTITLED : undefined
    tally.check(isSame && found.title === expected.title, `${file}: links and title`, reason)
    tally.check(JSON.stringify(found.words) === JSON.stringify(expected.words), `${file}: words, in their order`)
  }
  tally.notes.push(`Links: ${shares(links)}. Words: ${shares(words)}.`)
  if (Math.min(recall(links), precision(links)) < LEAST_OF_LINKS) tally.faults.push('links: less than 99.9 %')
  if (Math.min(recall(words), precision(words)) < LEAST_OF_WORDS) tally.faults.push('words: less than 99.5 %')
  return tally
}
