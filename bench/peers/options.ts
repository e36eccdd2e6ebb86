import { parseArgs } from 'node:util'

export interface PeersOptions {
  readonly pages: number
  /** For crawlers that take tens of milliseconds a page. */
  readonly slowPages: number
  readonly rounds: number
  /** Names of peers, or the beginnings of names; empty: all. */
  readonly only: readonly string[]
  readonly corpus: string | undefined
  readonly json: string | undefined
  readonly markdown: string | undefined
}

export function readPeersOptions(args: readonly string[]): PeersOptions {
  const { values } = parseArgs({
    args: [...args],
    options: {
      pages: { type: 'string', default: '20000' },
      'slow-pages': { type: 'string', default: '1000' },
      rounds: { type: 'string', default: '3' },
      only: { type: 'string', default: '' },
      corpus: { type: 'string' },
      json: { type: 'string' },
      markdown: { type: 'string' },
    },
  })
  const pages = count('pages', values.pages)
  return {
    pages,
    slowPages: Math.min(pages, count('slow-pages', values['slow-pages'])),
    rounds: count('rounds', values.rounds),
    only: values.only.split(',').filter((name) => name !== ''),
    corpus: values.corpus,
    json: values.json,
    markdown: values.markdown,
  }
}

function count(name: string, text: string): number {
  const value = Number(text)
  if (!Number.isInteger(value) || value < 1) throw new RangeError(`--${name} takes a number above 0, not ${text}`)
  return value
}
