import type { Outlook, RecordStore } from '../store/record-store.ts'
import { intervalsOf, type RecrawlConfig } from './config.ts'

/** What a crawl has before it; `null`: it visits pages once. */
export async function outlookOf(
  records: Pick<RecordStore, 'outlook'>,
  recrawl: RecrawlConfig,
  now: number,
): Promise<Outlook | null> {
  return intervalsOf(recrawl) ? records.outlook(now) : null
}
