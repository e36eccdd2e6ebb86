export { prepare, readPage } from './page'
export { prepareText, simhash } from './simhash'
