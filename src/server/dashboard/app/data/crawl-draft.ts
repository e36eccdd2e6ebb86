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
  /** JSON, as in a configuration file. */
  readonly others: string
  readonly previewPage: string
}

export const emptyDraft: CrawlDraft = {
  ...{ id: '', seeds: '', scope: 'host', include: '', exclude: '', maxPages: '', maxDepth: '', delayMs: '' },
  ...{ others: '', previewPage: '' },
}

export const linesOf = (text: string): string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')

/** Only what was filled in: everything else is left to the server's defaults. Throws what is wrong with it, in words. */
export function draftAs(draft: CrawlDraft): NewCrawl {
  const url = {
    ...(draft.scope === 'host' ? {} : { scope: draft.scope }),
    ...lines('include', draft.include),
    ...lines('exclude', draft.exclude),
  }
  const limits = { ...whole('maxPages', draft.maxPages), ...whole('maxDepth', draft.maxDepth) }
  const politeness = whole('delayMs', draft.delayMs)
  const settings = othersOf(draft.others)
  for (const [name, group] of Object.entries({ url, limits, politeness }))
    if (Object.keys(group).length > 0) settings[name] = { ...(settings[name] as object | undefined), ...group }
  const id = draft.id.trim()
  return { ...(id === '' ? {} : { id }), seeds: linesOf(draft.seeds), settings }
}

function othersOf(text: string): Record<string, unknown> {
  if (text.trim() === '') return {}
  const wrong = 'Other settings must be a JSON object, such as {"fetch": {"maxBodyBytes": 1000000}}.'
  try {
    const value: unknown = JSON.parse(text)
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return { ...value }
  } catch (cause) {
    throw new Error(wrong, { cause })
  }
  throw new Error(wrong)
}

const whole = (name: string, text: string) => (text.trim() === '' ? {} : { [name]: Number(text) })

const lines = (name: string, text: string) => (linesOf(text).length === 0 ? {} : { [name]: linesOf(text) })
