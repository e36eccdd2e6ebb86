import { useState } from 'preact/hooks'
import { useAsk } from '../../data/ask.ts'
import { count } from '../../data/format.ts'
import { api } from '../../data/session.ts'
import { Badge } from '../../parts/badge.tsx'
import { CrawledUrl } from '../../parts/crawled-url.tsx'
import { Answered, Empty } from '../../parts/states.tsx'

const limit = 200

/** Links of the page, and pages that led to it. */
export function Links({ crawl, url }: { crawl: string; url: string }) {
  return (
    <div class="columns">
      <LinkList title="Links on this page" direction="out" {...{ crawl, url }} />
      <LinkList title="Pages that named it first" direction="in" {...{ crawl, url }} />
    </div>
  )
}

interface LinkListParts {
  readonly title: string
  readonly direction: 'in' | 'out'
  readonly crawl: string
  readonly url: string
}

function LinkList({ title, direction, crawl, url }: LinkListParts) {
  const [shown, show] = useState(limit)
  const asked = useAsk(`links ${direction} ${shown} ${crawl} ${url}`, (signal) =>
    api().getPageLinks({ params: { crawl }, query: { url, direction, limit: Math.min(shown, 500) } }, signal),
  )
  return (
    <section class="panel stack">
      <h2>{title}</h2>
      <Answered asked={asked}>
        {({ links, total }) => (
          <>
            {links.length === 0 && <Empty>None is known.</Empty>}
            <ul class="links">
              {links.map((link) => (
                <li key={link.url} class="row">
                  <Badge state={link.state} />
                  <CrawledUrl crawl={crawl} url={link.url} />
                </li>
              ))}
            </ul>
            {total !== null && total > links.length && (
              <p class="soft">
                {count(links.length)} of {count(total)}{' '}
                {shown < 500 && (
                  <button type="button" class="plain" onClick={() => show(500)}>
                    Show more
                  </button>
                )}
              </p>
            )}
          </>
        )}
      </Answered>
    </section>
  )
}
