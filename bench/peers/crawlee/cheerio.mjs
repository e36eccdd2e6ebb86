import { CheerioCrawler } from '@crawlee/cheerio'
import { configuration, options } from './fast.mjs'

const crawler = new CheerioCrawler({ ...options, requestHandler: ({ enqueueLinks }) => enqueueLinks() }, configuration)
await crawler.run([process.argv[2]])
