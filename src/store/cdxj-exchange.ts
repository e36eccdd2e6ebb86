import { header } from '../fetch/outcome.ts'
import type { KeptExchange } from './archive.ts'
import { cdxjLine, mimeOf, REVISIT_MIME } from './cdxj.ts'
import type { WarcPlace } from './url-record.ts'
import { warcDate } from './warc-record.ts'

/** The index line of an exchange while it is written: the same as would be read out of its record. */
export function exchangeLine(exchange: KeptExchange, digest: string, place: WarcPlace, isRevisit: boolean): string {
  return cdxjLine({
    url: exchange.url,
    date: warcDate(exchange.startedAt),
    mime: isRevisit ? REVISIT_MIME : mimeOf(header(exchange.headers, 'content-type')),
    status: exchange.status,
    digest,
    length: place.length,
    offset: place.offset,
    filename: place.file.slice(place.file.lastIndexOf('/') + 1),
  })
}
