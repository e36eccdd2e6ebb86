export { indexNames } from './names'
export { prepare, readPage } from './page'
