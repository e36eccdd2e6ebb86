import { UsageError } from '../../config/usage-error.ts'
import type { Command } from '../command.ts'
import { openCrawlOf } from '../open-crawl.ts'
import { bold, dim, green, wrapped, yellow } from '../terminal.ts'
import { readCount, safe } from '../units.ts'

export const search: Command = {
  name: 'search',
  usage: 'QUERY [--limit N]',
  takesWords: Number.POSITIVE_INFINITY,
  summary: 'ranked results with highlighted excerpts',
  details: `
Words must all occur; "a phrase" in its order; -without; prefix*; title:word. Filters: site:example.com, lang:en,
after:2026-01-31, before:2026-12-31. With --json: {"url","title","score","excerpt"} a line, matches in **stars**.`,
  takesDashes: true,
  flags: { limit: { type: 'string', value: 'N', help: 'show so many (10)' } },
  async run(invocation) {
    const { args, json, given, terminal } = invocation
    const query = args.join(' ')
    if (query.trim() === '') throw new UsageError('Say what to search for: `orbweaver search "some words"`.')
    const limit = readCount('limit')((given.limit as string | undefined) ?? '10')
    await using reader = await openCrawlOf(invocation)
    const hits = await reader.index.search(query, limit)
    if (json) {
      for (const { url, title, score, excerpt } of hits)
        terminal.print(JSON.stringify({ url, title, score, excerpt: mark(excerpt, (text) => `**${text}**`) }))
      return 0
    }
    if (hits.length === 0) terminal.note(`Nothing found for ${query}.${hintAt(query)}`)
    for (const [n, { url, title, excerpt }] of hits.entries()) {
      terminal.print(`${dim(`${n + 1}.`.padStart(3))} ${bold(safe(title || url))}`)
      terminal.print(`    ${green(safe(url))}`)
      if (excerpt)
        for (const line of wrapped(mark(excerpt, yellow), terminal.isInteractive ? terminal.columns : Infinity, '    '))
          terminal.print(line)
      terminal.print('')
    }
    return 0
  },
}

/** A filter that could not be understood was looked for as words. */
function hintAt(query: string): string {
  const odd = /(?:^|\s)((after|before):(?!\d{4}(?:-\d{2}){0,2}(?:\s|$))\S*)/i.exec(query)
  return odd ? ` "${odd[1]}" was taken as words: write a date as ${odd[2]!.toLowerCase()}:2026-01-31.` : ''
}

/** Every second piece is a match. */
function mark(excerpt: string, paint: (text: string) => string): string {
  const pieces = excerpt.split(/[\u0002\u0003]/).map(safe)
  return pieces.map((piece, n) => (n % 2 === 1 ? paint(piece) : piece)).join('')
}
