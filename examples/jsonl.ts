// Writes each page as a line of JSON, to feed another program.
//   node examples/jsonl.ts https://example.com > pages.jsonl
import { once } from 'node:events'
import { crawl } from '../src/index.ts'

const seeds = process.argv.slice(2)

for await (const { url, title, text, lang, links } of crawl({ seeds, maxPages: 20, environment: process.env })) {
  const isFull = !process.stdout.write(`${JSON.stringify({ url, title, lang, text, links })}\n`)
  if (isFull) await once(process.stdout, 'drain') // the crawl waits with us
}
