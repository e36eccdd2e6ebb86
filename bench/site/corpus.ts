import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { gunzipSync } from 'node:zlib'

/** A little more than an average page of the web: some of it is taken out when pages become templates. */
const meanBytes = 105_000

/** The folder that was named, or the one beside the project; `undefined` where there is none, or for `none`. */
export function corpusFolder(given = process.env.ORBWEAVER_CORPUS): string | undefined {
  if (given === 'none') return undefined
  if (given !== undefined && !existsSync(given)) throw new RangeError(`there is no folder ${given}`)
  const folder = given ?? resolve(import.meta.dirname, '../../../shared/corpus')
  const found = [folder, join(folder, 'pages')].find((path) => existsSync(path) && pagesIn(path).length > 0)
  if (given !== undefined && found === undefined) throw new RangeError(`${given} holds no *.html.gz`)
  return found
}

/** The pages of a folder, one at a time, the heaviest left out until the rest weighs what average pages do. */
export function* readCorpus(folder: string): Generator<string> {
  const unpacked = (name: string) => gunzipSync(readFileSync(join(folder, name)))
  const pages = pagesIn(folder)
    .map((name) => ({ name, bytes: unpacked(name).length }))
    .sort((a, b) => a.bytes - b.bytes)
  let bytes = pages.reduce((sum, page) => sum + page.bytes, 0)
  while (pages.length > 1 && bytes / pages.length > meanBytes) bytes -= pages.pop()!.bytes
  for (const { name } of pages) yield unpacked(name).toString('utf8')
}

function pagesIn(folder: string): string[] {
  return readdirSync(folder)
    .filter((name) => name.endsWith('.html.gz'))
    .sort()
}
