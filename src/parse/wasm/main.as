export { prepare, readPage } from './page'
