import { UsageError } from '../../config/usage-error.ts'
import { openCrawlFolder } from '../../embedded/crawl-folder.ts'
import { openReader } from '../../embedded/open-reader.ts'
import { toUtf8 } from '../../parse/charset.ts'
import { toMarkdown } from '../../parse/markdown.ts'
import type { ArchivedResponse } from '../../store/archive.ts'
import type { UrlRecord } from '../../store/url-record.ts'
import type { Command } from '../command.ts'
import { pageUrl } from '../page-url.ts'
import { safe } from '../units.ts'

const forms = ['text', 'markdown', 'html', 'links', 'record', 'headers'] as const
type Form = (typeof forms)[number]

export const show: Command = {
  name: 'show',
  usage: `URL [--as ${forms.join('|')}]`,
  summary: 'a stored page, as text unless told otherwise',
  flags: { as: { type: 'string', value: forms.join('|'), help: 'in which form (text)' } },
  async run({ args, out, given, json, terminal }) {
    const form = (given.as ?? (json ? 'record' : 'text')) as Form
    if (!forms.includes(form)) throw new UsageError(`--as takes ${forms.join(', ')}, not "${form}".`)
    const folder = openCrawlFolder(out)
    const { url } = pageUrl(folder, args, 'orbweaver show URL')
    await using reader = await openReader(folder)
    const record = await reader.records.get(url)
    if (!record) throw new UsageError(`${url} was not stored. \`orbweaver why ${url}\` tells what became of it.`)
    const archived = async () => {
      const response = record.warc && (await reader.archive.read(record.warc))
      if (!response) throw new UsageError(`${url} is not in the archive; try --as text.`)
      return response
    }
    for (const line of await render(form, record, archived)) terminal.print(line)
    return 0
  },
}

async function render(form: Form, record: UrlRecord, archived: () => Promise<ArchivedResponse>): Promise<string[]> {
  switch (form) {
    case 'text':
      return record.text.split('\n').map(safe)
    case 'links':
      return [...record.links]
    case 'record':
      return [JSON.stringify(record, null, 2)]
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
