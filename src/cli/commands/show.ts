import { UsageError } from '../../config/usage-error.ts'
import { toUtf8 } from '../../parse/charset.ts'
import { toMarkdown } from '../../parse/markdown.ts'
import type { ArchivedResponse } from '../../store/archive.ts'
import type { UrlRecord } from '../../store/url-record.ts'
import type { Command } from '../command.ts'
import { configOf, openCrawlOf, pageUrl } from '../open-crawl.ts'
import { safe } from '../units.ts'
import { whereFlags } from '../where-flags.ts'

const forms = ['text', 'markdown', 'html', 'links', 'record', 'headers', 'raw'] as const
type Form = (typeof forms)[number]

export const show: Command = {
  name: 'show',
  usage: `URL [--as ${forms.join('|')}]`,
  takesWords: 1,
  summary: 'a stored page, as text unless told otherwise',
  flags: { as: { type: 'string', value: forms.join('|'), help: 'in which form (text)' } },
  async run(invocation) {
    const { args, given, json, terminal } = invocation
    const form = (given.as ?? (json ? 'record' : 'text')) as Form
    if (!forms.includes(form)) throw new UsageError(`--as takes ${forms.join(', ')}, not "${form}".`)
    await using reader = await openCrawlOf(invocation)
    const url = pageUrl(configOf(reader), args, 'orbweaver show URL')
    const record = await reader.records.get(url)
    if (!record)
      throw new UsageError(
        `${url} was not stored. \`orbweaver why ${url}${whereFlags(invocation)}\` tells what became of it.`,
      )
    const archived = async () => {
      const response = record.warc && (await reader.archive.read(record.warc))
      if (!response) throw new UsageError(`${url} is not in the archive; try --as text.`)
      return response
    }
    if (form === 'raw') process.stdout.write((await archived()).body)
    else for (const line of await render(form, record, archived, json)) terminal.print(line)
    return 0
  },
}

async function render(
  form: Exclude<Form, 'raw'>,
  record: UrlRecord,
  archived: () => Promise<ArchivedResponse>,
  json: boolean,
): Promise<string[]> {
  switch (form) {
    case 'text':
      return record.kind === 'page' ? record.text.split('\n').map(safe) : [instead(record)]
    case 'links':
      return json ? [JSON.stringify(record.links)] : [...record.links]
    case 'record':
      return [JSON.stringify(record, null, json ? undefined : 2)]
    case 'headers': {
      const { status, headers } = await archived()
      return [`HTTP ${status}`, ...headers.map(([name, value]) => `${name}: ${safe(value)}`)]
    }
    case 'html':
      return [toUtf8((await archived()).body, record.contentType).bytes.toString()]
    case 'markdown': {
      const { body } = await archived()
      return [toMarkdown(toUtf8(body, record.contentType).bytes, record.url)]
    }
    default:
      return form satisfies never
  }
}

/** What there is where there is no text. */
function instead({ kind, status, finalUrl, contentType }: UrlRecord): string {
  if (kind === 'redirect') return `(${status}, leads to ${finalUrl})`
  return `(${status}, ${contentType || 'no type'}: no page; --as raw gives its bytes)`
}
