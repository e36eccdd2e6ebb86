import type { ComponentChildren } from 'preact'
import type { PageAnswer } from '../../../../api/schemas/page.ts'
import { useAsk } from '../../data/ask.ts'
import { count, moment } from '../../data/format.ts'
import { api } from '../../data/session.ts'
import { CrawledUrl } from '../../parts/crawled-url.tsx'
import { Answered } from '../../parts/states.tsx'

/** What the page says of itself, what the crawl says of it, and how the server answered. */
export function Facts({ crawl, page }: { crawl: string; page: PageAnswer }) {
  const asked = useAsk(`headers ${crawl} ${page.url}`, (signal) =>
    api().getPageHeaders({ params: { crawl }, query: { url: page.url } }, signal),
  )
  const link = (url: string | null) => url && <CrawledUrl crawl={crawl} url={url} />
  const { warc } = page
  const facts: readonly (readonly [string, ComponentChildren])[] = [
    ['Fetched', moment(page.fetchedAt)],
    ['Status', page.status],
    ['Content type', page.contentType],
    ['Title', page.title],
    ['Description', page.description],
    ['Keywords', page.keywords.join(', ')],
    ['Language', page.lang],
    ['Published', page.publishedAt],
    ['Canonical', link(page.canonical)],
    ['Leads to', page.finalUrl === page.url ? '' : link(page.finalUrl)],
    ['Copy of', link(page.duplicateOf)],
    ['Nearly a copy of', link(page.nearDuplicateOf)],
    ['Found on', link(page.parent)],
    ['Links from a seed', String(page.depth)],
    ['Text', `${count(page.textLength)} characters`],
    ['Links', count(page.linkCount)],
    ['In the index', page.noindex ? 'no: it asks not to be' : 'yes'],
    ['Content hash', page.contentHash && <code>{page.contentHash}</code>],
    ['SimHash', page.simhash && <code>{page.simhash}</code>],
    ['Archived in', warc && `${warc.file}, ${count(warc.length)} bytes at ${count(warc.offset)}`],
  ]
  return (
    <div class="columns">
      <section class="panel stack">
        <h2>The page</h2>
        <dl class="facts">
          {facts.map(([name, value]) =>
            value === '' || value === null ? null : (
              <>
                <dt key={name}>{name}</dt>
                <dd>{value}</dd>
              </>
            ),
          )}
        </dl>
      </section>
      <section class="panel stack">
        <h2>The server’s answer</h2>
        <Answered asked={asked}>
          {({ headers }) => (
            <dl class="facts mono">
              {headers.map(([name, value], i) => (
                <>
                  <dt key={`${i} ${name}`}>{name}</dt>
                  <dd>{value}</dd>
                </>
              ))}
            </dl>
          )}
        </Answered>
      </section>
    </div>
  )
}
