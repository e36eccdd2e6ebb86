// Takes something out of each page, with a hook: here the description, the language and when it was published.
//   node examples/extract.ts https://example.com
import { type CrawledPage, crawl } from '../src/index.ts'

interface Article {
  readonly url: string
  readonly description: string
  readonly language: string
  readonly published: string
}

const articles: Article[] = []

// The page counts as visited when the hook has returned: if it throws, the page comes again on resume.
async function onPage({ url, parsed }: CrawledPage) {
  const description = parsed.description || parsed.text.split('\n')[1] || ''
  articles.push({ url, description, language: parsed.lang, published: parsed.publishedAt })
}

const summary = await crawl({ seeds: process.argv.slice(2), maxPages: 20, onPage, environment: process.env })

console.table(articles)
console.log(`${summary.pages} pages in ${summary.durationMs} ms`)
