// Searches in a crawl that has ended, or still runs.
//   node examples/search.ts ./orbweaver-data 'lighthouse keeper'
import { openCrawlData } from '../src/index.ts'

const [folder, query] = process.argv.slice(2)

await using data = await openCrawlData(folder)

for (const { url, title, excerpt } of await data.search(query ?? '', 5)) {
  console.log(`${title}\n${url}\n${excerpt.replaceAll('\u0002', '[').replaceAll('\u0003', ']')}\n`)
}
