import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { stringify } from 'yaml'
import { storageError } from '../embedded/storage-error.ts'
import type { UrlRecord } from '../store/url-record.ts'
import { exportedPage } from './exported-page.ts'
import { markdownPath } from './markdown-path.ts'

export interface MarkdownExport {
  readonly files: number
  /** Pages that ask not to be indexed. */
  readonly skipped: number
}

/** One file for each page below `folder`: what is known of it in front, its text in Markdown behind. */
export async function exportMarkdown(
  records: AsyncIterable<UrlRecord>,
  folder: string,
  toMarkdown: (record: UrlRecord) => Promise<string>,
): Promise<MarkdownExport> {
  let files = 0
  let skipped = 0
  for await (const record of records) {
    if (record.noindex) {
      skipped++
      continue
    }
    await writePage(join(folder, markdownPath(record.url)), markdownPage(record, await toMarkdown(record)))
    files++
  }
  return { files, skipped }
}

export function markdownPage(record: UrlRecord, body: string): string {
  const { text, links, warc, ...facts } = exportedPage(record)
  const known = Object.entries(facts).filter(([, value]) => value !== null && value !== '' && !isEmptyList(value))
  return `---\n${stringify(Object.fromEntries(known), { lineWidth: 0 })}---\n\n${body.trimEnd()}\n`
}

const isEmptyList = (value: unknown): boolean => Array.isArray(value) && value.length === 0

async function writePage(path: string, content: string): Promise<void> {
  try {
    await mkdir(dirname(path), { recursive: true })
    await writeFile(path, content)
  } catch (error) {
    throw storageError(path, error)
  }
}
