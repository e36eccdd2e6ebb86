// Stays within one part of a site, and shows what was left out and why.
//   node examples/scope.ts https://example.com
import { crawl, openCrawlData } from '../src/index.ts'

const out = './orbweaver-data'

await crawl({
  seeds: process.argv.slice(2),
  out,
  scope: 'host', // or 'domain', 'prefix' (the folder of the seed), 'any'
  exclude: ['*/archive/*', 're:[?&]print='],
  maxDepth: 3,
  environment: process.env,
})

await using data = await openCrawlData(out)
for await (const { url } of data.ledger.urls('done')) console.log('visited ', url)
for await (const { url, reason } of data.ledger.urls('excluded')) console.log('left out', url, reason)
