import type { Handlers } from './handler.ts'
import { crawlHandlers } from './handlers/crawls.ts'
import { deadLetterHandlers } from './handlers/dead-letters.ts'
import { hostHandlers } from './handlers/hosts.ts'
import { overallHandlers } from './handlers/overall.ts'
import { pageHandlers } from './handlers/pages.ts'
import { urlHandlers } from './handlers/urls.ts'

export const handlers: Handlers = {
  ...crawlHandlers,
  ...urlHandlers,
  ...pageHandlers,
  ...hostHandlers,
  ...deadLetterHandlers,
  ...overallHandlers,
}
