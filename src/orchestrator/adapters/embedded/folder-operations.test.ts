import { scratchFolder } from '../../../../test/crawl/crawl-of-web.ts'
import { operationsConformance } from '../../operations.conformance.ts'
import { operationsIn } from './folder-operations.ts'

operationsConformance('folders', {
  paceMs: 30,
  async open() {
    const scratch = scratchFolder()
    const operations = operationsIn(scratch.path)
    const close = operations[Symbol.asyncDispose]
    return {
      ...operations,
      async [Symbol.asyncDispose]() {
        await close()
        scratch[Symbol.dispose]()
      },
    }
  },
})
