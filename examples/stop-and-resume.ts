// Stops a crawl after some pages and goes on later, in the same folder: each page comes once.
//   node examples/stop-and-resume.ts https://example.com
import { crawl, resume } from '../src/index.ts'

const out = './orbweaver-data'
const seen: string[] = []

const first = crawl({ seeds: process.argv.slice(2), out, environment: process.env })
for await (const page of first) {
  seen.push(page.url)
  if (seen.length === 5) first.stop() // pages under way still come; `break` would leave them for later
}
console.log(`stopped after ${seen.length} pages`)

// Tomorrow, in another process, after a crash: the folder knows what is left.
for await (const page of resume({ out })) seen.push(page.url)
console.log(`finished with ${seen.length} pages, ${new Set(seen).size} of them different`)
