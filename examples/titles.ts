// Crawls a site and prints the title of each page.
//   node examples/titles.ts https://example.com
import { crawl } from '../src/index.ts' // from 'orbweaver', once installed

const seeds = process.argv.slice(2)

for await (const page of crawl({ seeds, maxPages: 20, environment: process.env })) {
  console.log(page.title, page.url)
}
