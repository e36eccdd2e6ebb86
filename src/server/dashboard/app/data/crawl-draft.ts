import type { NewCrawl } from '../../../api/schemas/crawl.ts'

/** A crawl as the reader is writing it. */
export interface CrawlDraft {
  readonly id: string
  readonly seeds: string
  readonly scope: string
  readonly include: string
  readonly exclude: string
  readonly maxPages: string
  readonly maxDepth: string
  readonly delayMs: string
  readonly previewPage: string
}

export const emptyDraft: CrawlDraft = {
  ...{ id: '', seeds: '', scope: 'host', include: '', exclude: '', maxPages: '', maxDepth: '', delayMs: '' },
  previewPage: '',
}

export const linesOf = (text: string): string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')

/** Only what was filled in: everything else is left to the server's defaults. */
export function draftAs(draft: CrawlDraft): NewCrawl {
  const url = {
    ...(draft.scope === 'host' ? {} : { scope: draft.scope }),
    ...lines('include', draft.include),
    ...lines('exclude', draft.exclude),
  }
  const limits = { ...whole('maxPages', draft.maxPages), ...whole('maxDepth', draft.maxDepth) }
  const politeness = whole('delayMs', draft.delayMs)
  const groups = Object.entries({ url, limits, politeness }).filter(([, group]) => Object.keys(group).length > 0)
  const id = draft.id.trim()
  return { ...(id === '' ? {} : { id }), seeds: linesOf(draft.seeds), settings: Object.fromEntries(groups) }
}

const whole = (name: string, text: string) => (text.trim() === '' ? {} : { [name]: Number(text) })

const lines = (name: string, text: string) => (linesOf(text).length === 0 ? {} : { [name]: linesOf(text) })
