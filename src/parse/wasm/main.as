export { indexMetaNames } from './meta'
export { indexNames } from './names'
export { prepare, readPage } from './page'
export { prepareText, simhash } from './simhash'
