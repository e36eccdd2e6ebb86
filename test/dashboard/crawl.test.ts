import { demoWeb } from '../web/presets.ts'
import { crawlLife } from './crawl-life.ts'
import { serveFolder } from './served-folder.ts'

crawlLife('a folder', () => serveFolder(demoWeb))
